import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Api } from '@loyalty/platform/http/api';
import { operationsOf } from '@loyalty/rest-adapter/openapi/openapi.fixture';
import { documents } from './documents.fixture.ts';

const kept = JSON.parse(readFileSync(join(import.meta.dirname, 'operation-ids.json'), 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Part = any;

describe.each(['v1', 'v2'] as const)('the OpenAPI document of %s', (api: Api) => {
  const document = documents[api];
  const resolved = (part: Part): Part =>
    part?.$ref
      ? part.$ref
          .split('/')
          .slice(1)
          .reduce((inner: Part, key: string) => inner[key], document)
      : part;

  /** The places of properties, at any depth, without a description. */
  function undescribedIn(schema: Part, place: string): string[] {
    if (!schema || schema.$ref) return [];
    const properties = Object.entries<Part>(schema.properties ?? {}).flatMap(([name, property]) => {
      const says = [property, ...(property.anyOf ?? [])].some((one) => resolved(one).description);
      return [...(says ? [] : [`${place}.${name}`]), ...undescribedIn(property, `${place}.${name}`)];
    });
    const inner = [
      schema.items,
      schema.additionalProperties,
      ...(schema.anyOf ?? []),
      ...(schema.allOf ?? []),
    ];
    return [...properties, ...inner.flatMap((one) => undescribedIn(one, place))];
  }
  const contentsOf = (part: Part): Part[] => Object.values(resolved(part)?.content ?? {});

  test('describes every operation, parameter, property and tag', () => {
    const missing = operationsOf(document).flatMap(({ operation }) => [
      ...(operation.summary && operation.description ? [] : [operation.operationId]),
      ...operation.parameters
        .map(resolved)
        .filter(({ description }: Part) => !description)
        .map(({ name }: Part) => `${operation.operationId} ${name}`),
      ...[operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        contentsOf(part).flatMap(({ schema }) => undescribedIn(schema, operation.operationId)),
      ),
    ]);
    const schemas = Object.entries<Part>(document.components['schemas'] as Part);
    expect([...missing, ...schemas.flatMap(([name, schema]) => undescribedIn(schema, name))]).toEqual([]);
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });

  test('shows an example of every body, every success and every error, and lists the codes of errors', () => {
    expect(operationsOf(document)).not.toHaveLength(0);
    for (const { operation } of operationsOf(document)) {
      for (const part of [operation.requestBody, ...Object.values(operation.responses)])
        for (const content of contentsOf(part))
          expect([operation.operationId, 'example' in content || 'examples' in content]).toEqual([
            operation.operationId,
            true,
          ]);
      expect(operation['x-error-codes']).toEqual(expect.arrayContaining(['INTERNAL', 'RATE_LIMITED']));
    }
  });

  test('keeps the names of its operations: generated clients call them by these', () => {
    const named = operationsOf(document).map(({ method, path, operation }) => [
      `${method.toUpperCase()} ${path}`,
      operation.operationId,
    ]);
    expect(Object.fromEntries(named)).toEqual(kept[api]);
  });

  test('names the address that users open', () => {
    expect(document.servers[0]).toMatchObject({ url: 'https://loyalty.test' });
  });
});
