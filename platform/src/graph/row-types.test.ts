import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { rowTypes } from './row-types.ts';

const typeDefs = parse(
  'extend type Query { store: Store } type Store { id: ID! } extend type Member { id: ID! }',
);
let directory = '';

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'row-types-'));
  await mkdir(join(directory, 'src/stores'), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (file: string, text: string): void => writeFileSync(join(directory, 'src/stores', file), text);

test('the row of a type is the exported type of its name; roots, tests and other names have none', () => {
  write('stores.store.ts', 'export interface Store {}\nexport type Member = Store;\nexport type Query = 1;');
  write('stores.fixture.ts', 'export interface Store {}');
  write('stores.service.ts', 'interface Store {}\nexport interface StoreFilter {}');
  expect(rowTypes(directory, typeDefs, {})).toEqual({
    Store: '../src/stores/stores.store.ts#Store as StoreRow',
    Member: '../src/stores/stores.store.ts#Member as MemberRow',
  });
});

test('a row that is named is taken instead', () => {
  write('stores.store.ts', 'export interface Store {}');
  const named = { Store: '@loyalty/platform/places#Place as PlaceRow' };
  expect(rowTypes(directory, typeDefs, named)).toEqual(named);
});

test('two exported types of one name are refused', () => {
  write('stores.store.ts', 'export interface Store {}');
  write('stores.service.ts', 'export interface Store {}');
  expect(() => rowTypes(directory, typeDefs, {})).toThrow('both export a type Store');
});
