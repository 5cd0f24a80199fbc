import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildClientSchema, introspectionFromSchema, printSchema, validateSchema } from 'graphql';
import { loadSupergraph } from './supergraph.ts';

test('tools read the whole graph by introspection, defaults included, and print it', () => {
  const sdl = readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8');
  const { schema } = loadSupergraph(sdl, { isValid: true });
  const read = buildClientSchema(introspectionFromSchema(schema));
  expect(validateSchema(read)).toEqual([]);
  expect(printSchema(read)).toContain('enum ErrorReason {');
});
