import type { OpenApiDocument } from './openapi.ts';
import type { DescribedRow } from './openapi-operation.ts';
import type { Schema } from './openapi-schema.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A name and its value, as collections have them everywhere. */
interface Pair {
  readonly key: string;
  readonly value: string;
  readonly description?: string;
  readonly disabled?: boolean;
}

interface PostmanRequest {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly Pair[];
    readonly body?: { readonly mode: 'raw'; readonly raw: string; readonly options: unknown };
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly Pair[];
      readonly variable: readonly Pair[];
    };
  };
  readonly event: readonly [
    {
      readonly listen: 'test';
      readonly script: { readonly type: 'text/javascript'; readonly exec: readonly string[] };
    },
  ];
  readonly response: readonly [];
}

/** A collection of Postman, version 2.1: a folder for each tag. */
export interface PostmanCollection {
  readonly info: { readonly name: string; readonly description: string; readonly schema: string };
  readonly auth: unknown;
  readonly variable: readonly Pair[];
  readonly item: readonly {
    readonly name: string;
    readonly description: string;
    readonly item: readonly PostmanRequest[];
  }[];
}

/**
 * The operations of a document as a collection that runs once `key` is set. Each has tests: a run whose
 * answers are not those that are documented fails, and so does one without a key.
 *
 * @param url - where the API is
 */
export function postmanCollection(document: OpenApiDocument, url: string): PostmanCollection {
  const { title, version } = document.info as { readonly title: string; readonly version: string };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, row]) => ({ path, method, row: row as unknown as DescribedRow })),
  );
  return {
    info: { name: `${title} ${version}`, description: 'Set the variable key to an API key.', schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'url', value: url },
      { key: 'key', value: '', description: 'An API key, or the token of a session.' },
    ],
    item: document.tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: operations
        .filter(({ row }) => row.tags[0] === name)
        .map(({ path, method, row }) => requestOf(path, method, row)),
    })),
  };
}

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}

function requestOf(path: string, method: string, row: DescribedRow): PostmanRequest {
  const parameters = row.parameters as unknown as readonly DescribedParameter[];
  const body = exampleOf(row.requestBody);
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  return {
    name: row.summary,
    request: {
      method: method.toUpperCase(),
      description: row.description,
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        } as const,
      }),
      url: {
        raw: `{{url}}/${segments.join('/')}`,
        host: ['{{url}}'],
        path: segments,
        query: pairsIn(parameters, 'query').map((pair) => ({ ...pair, disabled: true })),
        variable: pairsIn(parameters, 'path'),
      },
    },
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testsOf(row) } }],
    response: [],
  };
}

/** What Postman checks of an answer: its status, and that it has the documented fields. */
function testsOf({ responses }: DescribedRow): string[] {
  const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const statuses = succeeded.map(([status]) => Number(status));
  const [type, { schema }] = Object.entries(contentOf(succeeded[0]![1]))[0]!;
  return [
    ...testOf(`answers with ${statuses.join(' or ')}`, [
      `pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)});`,
    ]),
    ...testOf('has the documented form', [
      `pm.expect(pm.response.headers.get('Content-Type')).to.include('${type}');`,
      ...formOf(schema),
    ]),
  ];
}

const testOf = (name: string, lines: readonly string[]): string[] => [
  `pm.test('${name}', () => {`,
  ...lines.map((line) => `  ${line}`),
  '});',
];

function formOf({ type, required = [] }: Schema): string[] {
  if (type === 'array') return ["pm.expect(pm.response.json()).to.be.an('array');"];
  const names = required as readonly string[];
  if (type !== 'object' || names.length === 0) return [];
  return [`pm.expect(pm.response.json()).to.include.all.keys(${JSON.stringify(names)});`];
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

const contentOf = (answer: Schema): Content => answer['content'] as Content;

const pairsIn = (parameters: readonly DescribedParameter[], place: string): Pair[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example, description = '', schema }) => {
      const value = example ?? schema?.['default'] ?? '';
      return { key: name, value: typeof value === 'string' ? value : JSON.stringify(value), description };
    });

/** The example of the body in JSON; undefined where there is none. */
function exampleOf(body: Schema | undefined): unknown {
  const content = body?.['content'] as Record<string, { readonly example?: unknown }> | undefined;
  return content?.['application/json']?.example;
}
