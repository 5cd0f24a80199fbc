import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { parse, validate } from 'graphql';

test('the ten saved queries of the explorer fit the graph, each under a title', () => {
  const text = readFileSync(new URL('saved-queries.txt', import.meta.url), 'utf8');
  const { schema } = committedSupergraph();
  const queries = text.split(/^(?=# )/m);
  expect(queries.length).toBe(10);
  for (const query of queries) expect([query, validate(schema, parse(query))]).toEqual([query, []]);
});
