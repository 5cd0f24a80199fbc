import { expect, test } from '@jest/globals';
import { createTextReader } from './ocr.ts';
import { drawReceipt, receiptLines } from './receipts.fixture.ts';

const picture = Buffer.from(drawReceipt(receiptLines()), 'base64');

test('pictures that are asked for at once are read one after the other', async () => {
  const reader = createTextReader({ idleMs: 50 });
  const read = await Promise.all([reader.read(picture), reader.read(picture)]);
  expect(read.map((seen) => seen?.text.includes('CORNER SHOP'))).toEqual([true, true]);
});

test('one that takes too long cannot be read; the engine starts anew for the next', async () => {
  const reader = createTextReader({ deadlineMs: 1 });
  expect(await reader.read(picture)).toBeNull();
  expect(await reader.read(picture)).toBeNull();
});
