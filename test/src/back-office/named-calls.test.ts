import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { loadSupergraph } from '@loyalty/gateway/supergraph/supergraph';
import { supergraphFile } from '@loyalty/gateway/supergraph/supergraph-file';
import { rows } from '@loyalty/rest-adapter/table/rows';

const sources = globSync('back-office/app/**/*.tsx', { cwd: new URL('../../../', import.meta.url) });

test('what an empty list says a program does instead exists', () => {
  const { schema } = loadSupergraph(readFileSync(supergraphFile, 'utf8'));
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
