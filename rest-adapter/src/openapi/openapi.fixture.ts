import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { OpenApiDocument } from './openapi.ts';

// Both packages are installed with fastify. They are CommonJS, so their types describe the default export.
const require = createRequire(import.meta.url);
const { default: Ajv } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
const addFormats = require('ajv-formats') as (ajv: object) => void;

/**
 * Returns a function that compiles the schema at a JSON Pointer of the document, to check values against it.
 */
export function schemasOf(document: OpenApiDocument): (pointer: string) => ValidateFunction {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema(document, 'openapi');
  return (pointer) => ajv.compile({ $ref: `openapi#${pointer}` });
}

/** Returns where each error is and what it says; empty for a valid value. */
export function faults(check: ValidateFunction, value: unknown): string[] {
  check(value);
  return (check.errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

interface Described {
  readonly pointer: string;
  readonly path: string;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly operation: any;
}

/** Returns every operation of a document with its JSON Pointer. */
export const operationsOf = ({ paths }: OpenApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      pointer: `/paths/${escaped(path)}/${method}`,
      path,
      method,
      operation,
    })),
  );

const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/**
 * Returns violations of OpenAPI 3.1 that concern more than one object, such as a repeated operation id. Empty
 * for a valid document.
 */
export function structureFaults(document: OpenApiDocument): string[] {
  const found: string[] = [];
  const operations = operationsOf(document);
  const ids = operations.map(({ operation }) => operation.operationId as string);
  for (const id of new Set(ids))
    if (ids.filter((other) => other === id).length > 1) found.push(`operationId ${id} is used twice`);
  const tags = document.tags.map(({ name }) => name);
  for (const { pointer, path, operation } of operations) {
    const inPath = operation.parameters
      .filter((one: { in?: string }) => one.in === 'path')
      .map((one: { name: string }) => one.name);
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    if (inPath.sort().join() !== named.sort().join())
      found.push(`${pointer}: path parameters are ${inPath}, not ${named}`);
    if (!Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status)))
      found.push(`${pointer}: no success`);
    for (const tag of operation.tags)
      if (!tags.includes(tag)) found.push(`${pointer}: the tag ${tag} is not declared`);
    found.push(...parameterFaults(operation.parameters).map((fault) => `${pointer}: ${fault}`));
    for (const requirement of operation.security) {
      for (const name of Object.keys(requirement))
        if (!(name in document.components['securitySchemes']!)) found.push(`${pointer}: no scheme ${name}`);
    }
  }
  return [...found, ...danglingReferences(document)];
}

/**
 * Returns parameters that are described twice, whose names cannot be sent, or whose style does not fit their
 * place.
 */
function parameterFaults(parameters: readonly Record<string, unknown>[]): string[] {
  const named = parameters.filter((one) => !('$ref' in one));
  const keys = named.map(({ name, in: place }) => `${place} ${name}`);
  const styles: Record<string, string[]> = {
    query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
    path: ['simple', 'label', 'matrix'],
  };
  return [
    ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} is described twice`),
    ...keys.filter((key) => /[{}\s]/.test(key.split(' ')[1] ?? '')).map((key) => `${key} cannot be sent`),
    ...named
      .filter(({ in: place, style }) => style && !styles[`${place}`]?.includes(`${style}`))
      .map(({ name, style }) => `${name} cannot have the style ${style}`),
  ];
}

/** Returns descriptions and summaries with the JSON Pointers of their objects, except in examples. */
export function textsOf(value: unknown, pointer = ''): { pointer: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'example' || key === 'examples') return [];
    if (typeof inner === 'string' && (key === 'description' || key === 'summary'))
      return [{ pointer, text: inner }];
    return textsOf(inner, `${pointer}/${key}`);
  });
}

/**
 * Returns violations of the meta-schema of JSON Schema 2020-12, which OpenAPI 3.1 uses, and of ajv's strict
 * mode.
 */
export function schemaFaults(document: OpenApiDocument): string[] {
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  addFormats(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  ajv.addVocabulary(['example', 'components', 'info', 'servers', 'tags', 'paths', 'openapi']);
  ajv.addSchema(document, 'openapi');
  return schemaPointers(document).flatMap((pointer) => {
    const faults = ajv.validateSchema(schemaAt(document, pointer)) ? [] : [ajv.errorsText(ajv.errors)];
    try {
      ajv.compile({ $ref: `openapi#${pointer}` });
    } catch (error) {
      faults.push((error as Error).message);
    }
    return faults.map((fault) => `${pointer}: ${fault}`);
  });
}

const schemaAt = (document: OpenApiDocument, pointer: string): object =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as object;

/** Returns JSON Pointers to the schemas of a document that are not inside another schema. */
function schemaPointers(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${pointer}/${escaped(key)}`;
    if (key === 'example' || key === 'examples') return [];
    if (key === 'schema') return [at];
    if (pointer === '/components' && key === 'schemas')
      return Object.keys(inner).map((name) => `${at}/${name}`);
    return schemaPointers(inner, at);
  });
}

function danglingReferences(document: OpenApiDocument): string[] {
  const references = new Set(
    [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer!),
  );
  const isThere = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document) !==
    undefined;
  return [...references].filter((pointer) => !isThere(pointer)).map((pointer) => `${pointer} is not there`);
}
