import type { OpenApiDocument } from '@loyalty/rest-adapter/openapi/openapi';
import { faults, operationsOf, schemasOf } from '@loyalty/rest-adapter/openapi/openapi.fixture';

type Described = ReturnType<typeof operationsOf>[number];

/** The operations of an OpenAPI document, and the validators made from its schemas. */
interface Checked {
  readonly operations: readonly (Described & { readonly pattern: RegExp })[];
  readonly schemaAt: ReturnType<typeof schemasOf>;
  readonly validators: Map<string, ReturnType<ReturnType<typeof schemasOf>>>;
}

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Returns the parts of a REST answer that do not match its OpenAPI document; empty if all match. */
export type AnswerCheck = (method: string, path: string, reply: CheckedAnswer) => Promise<string[]>;

/**
 * Compares answers with the OpenAPI documents that the same origin serves. Answers without a document, such
 * as a page or a refused method, are not checked.
 */
export function answerCheck(origin: string): AnswerCheck {
  const documents = new Map<string, Promise<Checked | null>>();
  const read = (api: string): Promise<Checked | null> => {
    const known = documents.get(api) ?? load(`${origin}/openapi/${api}.json`);
    documents.set(api, known);
    return known;
  };
  return async (method, path, reply) => {
    const pathname = path.split('?', 1)[0]!;
    if (!pathname.startsWith('/api/')) return [];
    const document = await read(pathname.startsWith('/api/v1/') ? 'v1' : 'v2');
    const found = document?.operations.find(
      (one) => one.method === method.toLowerCase() && one.pattern.test(pathname),
    );
    if (!document || !found) return [];
    return faultsOf(document, found, reply).map(
      (fault) => `${method} ${found.path} ${reply.status}: ${fault}`,
    );
  };
}

async function load(url: string): Promise<Checked | null> {
  const response = await fetch(url);
  if (!response.ok) return null;
  const document = (await response.json()) as OpenApiDocument;
  const operations = operationsOf(document)
    .map((one) => ({ ...one, pattern: new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    // A path without parameters comes before one with parameters, as in the router.
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  return { operations, schemaAt: schemasOf(document), validators: new Map() };
}

function faultsOf(document: Checked, { pointer, operation }: Described, reply: CheckedAnswer): string[] {
  const { status, headers, body } = reply;
  const described = operation.responses[status];
  const code = headers.get('x-error-code');
  if (status >= 500 && code === 'INTERNAL') return [];
  if (!described) return [`the status is not described (${code ?? 'no code'})`];
  const unknown =
    code !== null && !operation['x-error-codes'].includes(code) ? [`the code ${code} is not described`] : [];
  const type = headers.get('content-type')?.split(';', 1)[0];
  if (!type?.includes('json')) return unknown;
  const place = described.$ref ? described.$ref.slice(1) : `${pointer}/responses/${status}`;
  const schema = `${place}/content/${encodeURIComponent(type.replaceAll('/', '~1'))}/schema`;
  const validator = document.validators.get(schema) ?? document.schemaAt(schema);
  document.validators.set(schema, validator);
  return [...unknown, ...faults(validator, body)];
}
