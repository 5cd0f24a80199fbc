import { readFileSync } from 'node:fs';
import { parse } from '@formatjs/icu-messageformat-parser';
import { expect, test } from '@jest/globals';
import { apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { getNamedType, isEnumType, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import en from '../../app/messages/en.json' with { type: 'json' };
import pt from '../../app/messages/pt.json' with { type: 'json' };
import words from '../../app/messages/words.pt.json' with { type: 'json' };
import { documents } from './documents.ts';

const placeholders = (text: string): string[] =>
  parse(text)
    .flatMap((part) => ('value' in part && part.type !== 0 ? [part.value] : []))
    .sort();

test('both languages have the same texts, with the same placeholders', () => {
  expect(Object.keys(en)).not.toHaveLength(0);
  expect(Object.keys(pt)).toEqual(Object.keys(en));
  for (const [key, text] of Object.entries(en)) {
    const other = pt[key as keyof typeof pt];
    expect([key, placeholders(other)]).toEqual([key, placeholders(text)]);
    expect(other.trim()).not.toBe('');
  }
});

/** Codes for programs. A screen shows them untranslated, with a link to their documentation. */
const CODES = 'ErrorReason';

test('whatever value of an enum a screen may show has a word in Portuguese', () => {
  const types = new TypeInfo(apiSchemaOf(readFileSync(supergraphFile, 'utf8')));
  const values = new Set<string>();
  const enter = (): void => {
    const type = getNamedType(types.getType());
    if (!isEnumType(type) || type.name === CODES) return;
    for (const { name } of type.getValues()) values.add(`word.${name}`);
  };
  for (const { document } of documents) visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  expect(values.size).toBeGreaterThan(100);
  expect([...values].filter((name) => !Object.hasOwn(words, name))).toEqual([]);
});
