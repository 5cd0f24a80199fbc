import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { referenceLook } from '@loyalty/platform/http/reference-look/reference-head';

const coloursIn = (text: string): Set<string> => new Set(text.match(/#[0-9a-f]{3,6}\b/g));

test('the references have no colour that the back office does not have', () => {
  const office = ['theme.ts', 'look.css'].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'));
  const colours = coloursIn(referenceLook);
  expect(colours.size).toBeGreaterThan(15);
  expect([...colours.difference(coloursIn(office.join()))]).toEqual([]);
});
