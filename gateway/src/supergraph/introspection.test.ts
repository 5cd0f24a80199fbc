import { expect, test } from '@jest/globals';
import { buildClientSchema, introspectionFromSchema, printSchema, validateSchema } from 'graphql';
import { committedSupergraph } from './supergraph.ts';

test('tools read the whole graph by introspection, defaults included, and print it', () => {
  const { schema } = committedSupergraph();
  const read = buildClientSchema(introspectionFromSchema(schema));
  expect(validateSchema(read)).toEqual([]);
  expect(printSchema(read)).toContain('enum ErrorReason {');
});
