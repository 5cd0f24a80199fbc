import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { referenceLook } from '@loyalty/platform/http/reference-look/reference-head';

test('the references have no colour that the back office does not have', () => {
  const theme = readFileSync(new URL('theme.ts', import.meta.url), 'utf8');
  const colours = new Set(referenceLook.match(/#[0-9a-f]{3,6}\b/g));
  expect(colours.size).toBeGreaterThan(15);
  expect([...colours].filter((colour) => !theme.includes(`'${colour}'`))).toEqual([]);
});
