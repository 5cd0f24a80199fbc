import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { isUnionType } from 'graphql';
import en from '../../app/screens/audit/audit-words.en.json' with { type: 'json' };
import pt from '../../app/screens/audit/audit-words.pt.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const listed = execFileSync('git', ['ls-files', 'subgraphs/*/src/**/*.ts'], { cwd: root, encoding: 'utf8' });
const sources = listed
  .split('\n')
  .filter((path) => path && !/\.(test|fixture)\.ts$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'));
const found = (pattern: RegExp): string[] => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name!))),
];
const schema = apiSchemaOf(readFileSync(supergraphFile, 'utf8'));

test('whatever the audit log may name has words, in both languages', () => {
  const mutations = new Set(Object.keys(schema.getMutationType()!.getFields()));
  const acts = found(/\baction: '(\w+)'/g).map((action) => `act.${action}`);
  const types = found(/\bresourceType: '(\w+)'/g).map((type) => `type.${type}`);
  expect(acts.length).toBeGreaterThan(60);
  expect(types.length).toBeGreaterThan(30);
  const union = schema.getType('AuditSubject');
  const subjects = isUnionType(union) ? union.getTypes().map(({ name }) => `type.${name}`) : [];
  const known = new Set(Object.keys(en));
  // Actions that are named by templates: names of mutations that a service has as a text.
  const named = found(/'(\w+)'/g).filter((name) => mutations.has(name) && known.has(`act.${name}`));
  expect(named.length).toBeGreaterThan(acts.length);
  expect([...acts, ...types, ...subjects].filter((key) => !known.has(key))).toEqual([]);
  expect(Object.keys(pt)).toEqual(Object.keys(en));
});
