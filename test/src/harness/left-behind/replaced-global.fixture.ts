import { test } from '@jest/globals';

test('replaces a global', () => {
  globalThis.structuredClone = (value) => value;
});
