import { expect, test } from '@jest/globals';

test('finds everything as it was', () => {
  expect(process.env['LEFT_BEHIND']).toBeUndefined();
  expect(structuredClone({ a: 1 })).toEqual({ a: 1 });
});
