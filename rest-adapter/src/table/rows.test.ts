import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { errorReasons } from '@loyalty/platform/base/error-reasons';
import type { Api } from '@loyalty/platform/http/api';
import { parse, validate } from 'graphql';
import { accessesIn, schemaOf } from '../adapter.fixture.ts';
import { missing } from '../input.ts';
import { examples } from '../openapi/examples.ts';
import {
  faults,
  operationsOf,
  schemaFaults,
  schemasOf,
  structureFaults,
  textsOf,
} from '../openapi/openapi.fixture.ts';
import { openApi } from '../openapi/openapi.ts';
import { readOperation } from './row-operation.ts';
import { rows } from './rows.ts';

const schema = schemaOf(
  readFileSync(new URL('../../../gateway/supergraph.graphql', import.meta.url), 'utf8'),
);
const operationNameOf = (document: string) => readOperation(document, schema).name;

test.each(rows.map(({ method, path, document: text }) => [`${method} ${path}`, text]))(
  'the document of %s is valid for the schema of the graph',
  (_, text) => {
    expect(validate(schema, parse(text)).map(({ message }) => message)).toEqual([]);
  },
);

test('every row has an example and every example a row', () => {
  expect(Object.keys(examples).sort()).toEqual(
    [...new Set(rows.map(({ document }) => operationNameOf(document)))].sort(),
  );
});

test('the 404 code of every row is in the list of error codes', () => {
  const reasons = rows.flatMap((row) =>
    [...Object.keys(row.about ?? {}), ...row.path.matchAll(/:(\w+)/g).map(([, name]) => name!)].map(
      (name) => missing(row, name, 'x').code,
    ),
  );
  expect(reasons).toContain('WEBHOOK_ENDPOINT_NOT_FOUND');
  expect(errorReasons.NOT_FOUND).toEqual(expect.arrayContaining(reasons));
});

const GRAPH_WORDS =
  /\bgraph|\bselect(ed|ion)|\bcursors?\b|\bmutations?\b|\bsubscri(be to|ptions?)\b|\bresolver|(^|\s|`)@\w|`(nodes|edges)`|`\w+\(/i;
/**
 * Words in upper case that descriptions may contain: acronyms, codes, and values that REST also writes in
 * upper case.
 */
const CAPITALS = [
  ...['API', 'BCP', 'CSV', 'EUR', 'HTTP', 'IANA', 'ISO', 'JPY', 'JSON', 'POST', 'REST', 'RFC', 'SHA', 'SKU'],
  ...[
    'AI',
    'US',
    'TOOL_NOT_IN_DEFINITION',
    'URL',
    'USD',
    'UTC',
    'UUID',
    'YYYY',
    'NOT_CALIBRATED',
    'OCR',
    'PT',
    'AA',
    'MM',
    'DD',
    'GPC',
  ],
  ...['INSUFFICIENT_CREDITS', 'TRIAL_CREDITS_EXHAUSTED', 'SUBSCRIPTION_REQUIRED'],
  ...['MODEL_SERVICE_UNAVAILABLE', 'SCORING_FAILED', 'WORKER_LOST', 'INTERNAL', 'REQUESTED'],
  ...['INVALID_ARGUMENTS', 'INVALID_VALUE'],
];
const capitals = (text: string): string[] => text.match(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g) ?? [];

/** Returns every object in a document, except in examples. */
const objectsIn = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return [
    ...(Array.isArray(value) ? [] : [value as Record<string, unknown>]),
    ...inner.flatMap(([, one]) => objectsIn(one)),
  ];
};

describe.each(['v1', 'v2'] as const)('the OpenAPI document of %s', (api: Api) => {
  const document = openApi(api, { rows, schema, access: accessesIn(schema) });
  const at = schemasOf(document);
  const operations = operationsOf(document);
  const described = rows
    .filter(({ path }) => path.startsWith('/api/v1/') === (api === 'v1'))
    .map((row) => {
      const path = row.path.replace(/:(\w+)/g, '{$1}');
      const found = operations.find((one) => one.path === path && one.method === row.method.toLowerCase());
      const statuses = [row.status ?? 200, ...(row.isBatch ? [207] : [])];
      return [operationNameOf(row.document), found?.pointer ?? '', found?.operation, statuses] as const;
    });

  test('follows the structural rules of OpenAPI 3.1', () => {
    expect(structureFaults(document)).toEqual([]);
  });

  test('has schemas that a strict validator accepts', () => {
    expect(schemaFaults(document)).toEqual([]);
  });

  test('gives every whole number a format, a minimum and a maximum', () => {
    const integers = objectsIn(document).filter(
      ({ type, enum: values }) => [type].flat().includes('integer') && !values,
    );
    expect(integers.length).toBeGreaterThan(20);
    for (const { type, format, minimum, maximum } of integers)
      expect([type, format, typeof minimum, typeof maximum]).toEqual([
        type,
        expect.stringMatching(/^int(32|64)$/),
        'number',
        'number',
      ]);
  });

  test('has descriptions for REST: no term of GraphQL, no value of an enum in upper case', () => {
    const names = new Set(objectsIn(document).flatMap((one) => Object.keys(one)));
    const known = new Set([...names, ...objectsIn(document).map(({ name }) => name)]);
    const refused = textsOf(document).filter(
      ({ text }) =>
        GRAPH_WORDS.test(text) ||
        capitals(text).some((word) => !CAPITALS.includes(word)) ||
        [...text.matchAll(/`([a-z]+[A-Z]\w*)`/g)].some(([, name]) => !known.has(name)),
    );
    expect(refused).toEqual([]);
  });

  test('does not describe an answer or its fields with the sentence of the operation', () => {
    expect(operations).not.toHaveLength(0);
    for (const { operation } of operations) {
      const words = operation.description.split(/(?<=\.)\s/, 1)[0];
      const replies = textsOf(operation.responses).map(({ text }) => text.split(/(?<=\.)\s/, 1)[0]);
      expect([operation.operationId, replies.includes(words)]).toEqual([operation.operationId, false]);
    }
  });

  test('has every row of the API, with a summary and without terms of GraphQL', () => {
    expect(operations).not.toHaveLength(0);
    expect(described.filter(([, , operation]) => !operation)).toEqual([]);
    for (const { operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z].{2,140}$/);
      expect(JSON.stringify(operation)).not.toMatch(/GraphQL|@access/);
    }
  });

  test.each(described)(
    'shows an example of %s that its schemas accept',
    (name, pointer, operation, statuses) => {
      const { body, reply } = examples[name]!;
      for (const status of statuses) {
        const [type] = Object.keys(operation!.responses[status].content);
        const content = `${pointer}/responses/${status}/content/${type!.replace('/', '~1')}`;
        expect(faults(at(`${content}/schema`), reply)).toEqual([]);
      }
      if (operation.requestBody)
        expect(faults(at(`${pointer}/requestBody/content/application~1json/schema`), body)).toEqual([]);
      else expect(body).toBeUndefined();
    },
  );
});
