import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { referenceFiles } from './reference-page.ts';

const coloursIn = (text: string): Set<string> => new Set(text.match(/#[0-9a-f]{3,6}\b/g));

const contentOf = (name: string) => referenceFiles[name as keyof typeof referenceFiles].content;

test('the references have no colour that the back office does not have', () => {
  const office = ['theme.ts', 'look.css'].map((file) =>
    readFileSync(new URL(`../../../back-office/app/shell/${file}`, import.meta.url), 'utf8'),
  );
  const colours = coloursIn(['look.css', 'reference.css', 'rest.css'].map(contentOf).join());
  expect(colours.size).toBeGreaterThan(15);
  const known = coloursIn(office.join());
  expect([...colours].filter((colour) => !known.has(colour))).toEqual([]);
});
