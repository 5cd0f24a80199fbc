import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const app = join(import.meta.dirname, '..');

test('no part is loaded in a way that a lost connection breaks', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: app }).filter((file) => !file.includes('lazy-part'));
  const texts = files.map((file) => [file, readFileSync(join(app, file), 'utf8')] as const);
  expect(texts.filter(([, text]) => text.includes('lazyPart(')).length).toBeGreaterThan(5);
  expect(texts.filter(([, text]) => /\blazy\(/.test(text)).map(([file]) => file)).toEqual([]);
});
