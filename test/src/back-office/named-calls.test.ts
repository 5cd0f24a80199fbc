import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { committedSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { rows } from '@loyalty/rest-adapter/table/rows';

const sources = globSync('back-office/app/**/*.tsx', { cwd: new URL('../../../', import.meta.url) });

test('every API call that an empty list names exists', () => {
  const { schema } = committedSupergraph();
  const mutations = Object.keys(schema.getMutationType()!.getFields()).map((name) => `mutation ${name}`);
  const rest = rows.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const there = new Set([...mutations, ...rest]);
  const named = sources.flatMap((file) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    return [...text.matchAll(/\bcall="([^"]+)"/g)].map(([, call]) => ({ file, call: call! }));
  });
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(({ call }) => !there.has(call))).toEqual([]);
});
