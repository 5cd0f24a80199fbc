import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Api } from '@loyalty/platform/api';
import { parse, validate } from 'graphql';
import { accessesIn, schemaOf } from './adapter.fixture.ts';
import { examples } from './examples.ts';
import { faults, operationsOf, schemasOf, structureFaults } from './openapi.fixture.ts';
import { openApi } from './openapi.ts';
import { readOperation } from './operation.ts';
import { rows } from './rows.ts';

const schema = schemaOf(readFileSync(new URL('../../gateway/supergraph.graphql', import.meta.url), 'utf8'));
const operationNameOf = (document: string) => readOperation(document, schema).name;

test.each(rows.map(({ method, path, document: text }) => [`${method} ${path}`, text]))(
  'the document of %s is valid on the graph',
  (_, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  },
);

test('every row has an example and every example a row', () => {
  expect(Object.keys(examples).sort()).toEqual(rows.map(({ document }) => operationNameOf(document)).sort());
});

describe.each(['v1', 'v2'] as const)('the OpenAPI document of %s', (api: Api) => {
  const document = openApi(api, { rows, schema, access: accessesIn(schema) });
  const at = schemasOf(document);
  const operations = operationsOf(document);
  const described = rows
    .filter(({ path }) => path.startsWith('/api/v1/') === (api === 'v1'))
    .map((row) => {
      const path = row.path.replace(/:(\w+)/g, '{$1}');
      const found = operations.find((one) => one.path === path && one.method === row.method.toLowerCase());
      return [operationNameOf(row.document), found?.pointer ?? '', found?.operation] as const;
    });

  test('is sound', () => {
    expect(structureFaults(document)).toEqual([]);
  });

  test('has every row of the API, with a summary in words and who may call', () => {
    expect(described.filter(([, , operation]) => !operation)).toEqual([]);
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z].{2,140}$/);
      expect(JSON.stringify(operation)).not.toMatch(/GraphQL|@access/);
    }
  });

  test.each(described)('shows an example of %s that is what its schemas say', (name, pointer, operation) => {
    const { body, reply } = examples[name]!;
    const statuses = Object.keys(operation.responses).filter((code) => code.startsWith('2'));
    for (const status of statuses) {
      expect(faults(at(`${pointer}/responses/${status}/content/application~1json/schema`), reply)).toEqual(
        [],
      );
    }
    if (operation.requestBody)
      expect(faults(at(`${pointer}/requestBody/content/application~1json/schema`), body)).toEqual([]);
    else expect(body).toBeUndefined();
  });
});
