import type { OpenApiDocument } from '../openapi/openapi.ts';
import type { Schema } from '../openapi/openapi-schema.ts';

/** A parameter as the document describes it, references resolved. */
interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

/** What the reference shows of an operation. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isOpen: boolean;
  readonly parameters: readonly DescribedParameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | null;
  readonly answers: readonly DescribedAnswer[];
}

interface DescribedAnswer {
  readonly status: string;
  readonly description: string;
  readonly schema: Schema | null;
  readonly example: unknown;
}

/** All operations of a document, in its order. */
export const operationsIn = (document: OpenApiDocument): DescribedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describedOf(document, { path, method, operation })),
  );

function describedOf(
  document: OpenApiDocument,
  { path, method, operation }: { path: string; method: string; operation: Schema },
): DescribedOperation {
  const resolve = (value: unknown): Schema => resolved(document, value);
  const parameters = (operation['parameters'] ?? []) as unknown[];
  const answers = (operation['responses'] ?? {}) as Record<string, unknown>;
  const body = operation['requestBody'];
  return {
    id: String(operation['operationId']),
    method: method.toUpperCase(),
    path,
    tag: (operation['tags'] as string[])[0] ?? 'other',
    summary: String(operation['summary'] ?? operation['operationId']),
    description: String(operation['description'] ?? ''),
    isOpen: ((operation['security'] ?? []) as Schema[]).some((way) => Object.keys(way).length === 0),
    parameters: parameters.map((each) => resolve(each) as unknown as DescribedParameter),
    body: body === undefined ? null : bodyOf(resolve(body)),
    answers: Object.entries(answers).map(([status, each]) => answerOf(status, resolve(each))),
  };
}

function bodyOf(body: Schema): DescribedOperation['body'] {
  const media = jsonOf(body);
  return media && { schema: (media['schema'] ?? {}) as Schema, example: exampleOf(media) };
}

function answerOf(status: string, answer: Schema): DescribedAnswer {
  const media = jsonOf(answer);
  return {
    status,
    description: String(answer['description'] ?? ''),
    schema: (media?.['schema'] as Schema | undefined) ?? null,
    example: media ? exampleOf(media) : undefined,
  };
}

/** The JSON of a body or an answer; else its first media type. */
function jsonOf({ content = {} }: Schema): Schema | null {
  const types = content as Record<string, Schema>;
  return types['application/json'] ?? Object.values(types)[0] ?? null;
}

/** The example; of several the first. */
function exampleOf({ example, examples }: Schema): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values((examples ?? {}) as Record<string, Schema>);
  return first?.['value'];
}

function resolved(document: OpenApiDocument, value: unknown): Schema {
  const { $ref } = value as { readonly $ref?: string };
  if ($ref === undefined) return value as Schema;
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
  return found as Schema;
}
