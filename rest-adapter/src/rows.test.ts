import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import { accessesIn, schemaOf } from './adapter.fixture.ts';
import { examples } from './examples.ts';
import { faults, operationsOf, schemasOf, structureFaults } from './openapi.fixture.ts';
import { openApiV2 } from './openapi.ts';
import { rows } from './rows.ts';

const schema = schemaOf(readFileSync(new URL('../../gateway/supergraph.graphql', import.meta.url), 'utf8'));
const document = openApiV2({ rows, schema, access: accessesIn(schema) });
const at = schemasOf(document);
const operations = operationsOf(document);
const names = operations.map(({ operation }) => operation.operationId as string);

test.each(rows.map(({ method, path, document: text }) => [`${method} ${path}`, text]))(
  'the document of %s is valid on the graph',
  (_, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  },
);

test('the OpenAPI document is sound', () => {
  expect(structureFaults(document)).toEqual([]);
});

test('every operation has a summary in words and tells who may call', () => {
  for (const { operation } of operations) {
    expect(operation.summary).toMatch(/^[A-Z].{2,140}$/);
    expect(JSON.stringify(operation)).not.toMatch(/GraphQL|@access/);
  }
});

test('every operation has an example and every example an operation', () => {
  expect(Object.keys(examples).sort()).toEqual([...names].sort());
});

test.each(operations.map(({ operation, pointer }) => [operation.operationId as string, pointer, operation]))(
  'the example of %s is what the schemas say',
  (name, pointer, operation) => {
    const { body, reply } = examples[name]!;
    const status = Object.keys(operation.responses).find((code) => code.startsWith('2'));
    expect(faults(at(`${pointer}/responses/${status}/content/application~1json/schema`), reply)).toEqual([]);
    if (operation.requestBody)
      expect(faults(at(`${pointer}/requestBody/content/application~1json/schema`), body)).toEqual([]);
    else expect(body).toBeUndefined();
  },
);
