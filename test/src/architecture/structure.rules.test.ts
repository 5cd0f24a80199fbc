import { describe, expect, test } from '@jest/globals';
import * as circles from './circles.rules.ts';
import * as exported from './exports.rules.ts';
import { faults } from './faults.fixture.ts';
import * as folders from './folders.rules.ts';
import * as imports from './imports.rules.ts';
import { projectOf } from './project.ts';

const loyalty = 'subgraphs/loyalty/src';

describe('a circle of imports', () => {
  const circle = {
    'platform/src/a.ts': "import type { B } from './b.ts';",
    'platform/src/b.ts': "export type { C } from './c.ts';\nimport './d.ts';",
    'platform/src/c.ts': "export type C = import('./a.ts').A;",
    'platform/src/d.ts': "import './outside.ts';",
  };

  test('of files is found once, also through types and re-exports', () => {
    expect(faults(circles.files, circle)).toEqual(['platform/src/a.ts:1']);
    const [breach] = circles.files.check(projectOf(circle));
    expect(breach?.message).toContain('a.ts → platform/src/b.ts → platform/src/c.ts → platform/src/a.ts');
  });

  test('is reported by its shortest path and the number of its files', () => {
    const texts = { ...circle, 'platform/src/d.ts': "import './b.ts';" };
    const messages = circles.files.check(projectOf(texts)).map(({ message }) => message);
    expect(messages).toEqual([
      'platform/src/b.ts → platform/src/d.ts → platform/src/b.ts (4 import each other)',
    ]);
  });

  test('is not reported when one import is missing', () => {
    expect(faults(circles.files, { ...circle, 'platform/src/c.ts': 'export type C = 1;' })).toEqual([]);
  });

  const between = (one: string, other: string): Record<string, string> => ({
    [`${loyalty}/${one}/one.service.ts`]: `import { b } from '@loyalty/loyalty-subgraph/${other}/other.service';`,
    [`${loyalty}/${other}/other.service.ts`]: `import { c } from '@loyalty/loyalty-subgraph/${one}/plain';`,
  });

  test('of values between two nouns is refused, through whichever files it goes', () => {
    const texts = between('points', 'tiers');
    expect(faults(circles.nouns, texts)).toEqual([`${loyalty}/points/one.service.ts:1`]);
    expect(faults(circles.files, texts)).toEqual([]);
  });

  test('between nouns does not count through types, in tests or inside one noun', () => {
    const texts = between('points', 'tiers');
    const [[first, text] = ['', '']] = Object.entries(texts);
    const rest = Object.fromEntries(Object.entries(texts).slice(1));
    expect(faults(circles.nouns, { ...rest, [first]: text.replace('import', 'import type') })).toEqual([]);
    expect(faults(circles.nouns, { ...rest, [first.replace('service', 'test')]: text })).toEqual([]);
    expect(faults(circles.nouns, between('points', 'points'))).toEqual([]);
  });
});

test('the store of a noun is imported only by the noun itself', () => {
  const file = `${loyalty}/points/ledger.service.ts`;
  const text = [
    "import { b } from '../tiers/tiers.store.ts';",
    "import { c } from './ledger.store.ts';",
    "import { d } from '../tiers/tiers.service.ts';",
  ].join('\n');
  expect(faults(imports.nouns, { [file]: text })).toEqual([`${file}:1`]);
});

test('a noun of a subgraph is one flat folder', () => {
  const texts = {
    [`${loyalty}/points/a.ts`]: '',
    [`${loyalty}/points/lots/b.ts`]: '',
    'platform/src/a/b/c.ts': '',
  };
  expect(faults(folders.flatNouns, texts)).toEqual([`${loyalty}/points/lots/b.ts:1`]);
});

describe('a folder', () => {
  const filled = (folder: string, count: number, name = (index: number) => `${index}.ts`) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/${name(index)}`, '']));

  test('has at most 30 files; its folders do not count', () => {
    const texts = { ...filled('platform/src', 30), 'platform/src/live/a.ts': '' };
    expect(faults(folders.folders, texts)).toEqual([]);
    expect(faults(folders.folders, filled('platform/src', 31))).toEqual(['platform/src:1']);
  });

  test('may have any number of tests, and the root may have any number of files', () => {
    const endings = ['test', 'redis.test', 'browser.test', 'production.test', 'fixture'];
    const tests = filled('platform/src', 60, (index) => `${index}.${endings[index % endings.length]}.ts`);
    expect(faults(folders.folders, tests)).toEqual([]);
    const packages = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`${index}.json`, '']));
    expect(faults(folders.folders, packages)).toEqual([]);
  });
});

describe('an exported type', () => {
  test('with a name that exists already is refused, in the same package and in another one', () => {
    const texts = {
      'platform/src/a.test.ts': 'export type Parts = 2;',
      'platform/src/a.ts': 'export interface Parts {}\ninterface Own {}',
      'gateway/src/b.ts': 'type Parts = 1;\nexport type { Parts };',
      'gateway/src/c.ts': 'export type Own = 1;',
    };
    expect(faults(exported.typeNames, texts).sort()).toEqual([
      'gateway/src/b.ts:2',
      'platform/src/a.test.ts:1',
    ]);
  });

  test('may be re-exported, and tests of two packages may use the same name', () => {
    const texts = {
      'platform/src/a.ts': 'export interface Parts {}',
      'platform/src/b.ts': "export type { Parts } from './a.ts';",
      'platform/src/c.ts': "import type { Parts } from './a.ts';\nexport type { Parts };",
      'gateway/src/a.fixture.ts': 'export type Parts = 1;',
    };
    expect(faults(exported.typeNames, texts)).toEqual([]);
  });
});

describe('an export', () => {
  const text = [
    'export const a = 1;',
    'export function b() {}',
    'export interface C {}',
    'const d = 1;',
    'export { d };',
    'export const { e, f: [g] } = x;',
  ].join('\n');
  const deadIn = (importer: string, path = 'platform/src/b.ts'): string[] =>
    faults(exported.deadValues, { 'platform/src/a.ts': text, [path]: importer });

  test('that no other file imports is refused', () => {
    const lines = [1, 2, 5, 6, 6].map((line) => `platform/src/a.ts:${line}`);
    expect(deadIn('')).toEqual(lines);
  });

  test.each([
    "import * as all from './a.ts';",
    "const all = await import('./a.ts');",
    "export * from './a.ts';",
    "import { a, b as other, d, e, g } from './a.ts';",
  ])('is used by %s', (importer) => {
    expect(deadIn(importer)).toEqual([]);
  });

  test('is used by its name, and not by an import for side effects', () => {
    expect(deadIn("import type { C } from './a.ts';\nimport './a.ts';")).toHaveLength(5);
  });
});
