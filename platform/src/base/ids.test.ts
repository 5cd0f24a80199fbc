import { describe, expect, test } from '@jest/globals';
import { fixedClock } from './clock.ts';
import { isUuid, newId, randomBase62 } from './ids.ts';

describe('a new id', () => {
  test('is a UUIDv7 that carries the clock', () => {
    const id = newId(fixedClock('2026-03-02T10:00:00.000Z'));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))).toEqual(
      new Date('2026-03-02T10:00:00.000Z'),
    );
  });

  test('sorts after every earlier one, also within one millisecond', () => {
    const clock = fixedClock('2026-03-02T10:00:00.000Z');
    const ids: string[] = [];
    for (let millisecond = 0; millisecond < 20; millisecond += 1) {
      for (let count = 0; count < 500; count += 1) ids.push(newId(clock));
      clock.advance(1);
    }
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test.each([
  ['019cadfd-8900-713f-9842-bfb3da1c5e4a', true],
  ['019CADFD-8900-713F-9842-BFB3DA1C5E4A', true],
  ['00000000-0000-0000-0000-000000000000', true],
  ['019cadfd8900713f9842bfb3da1c5e4a', false],
  [' 019cadfd-8900-713f-9842-bfb3da1c5e4a', false],
  ['019cadfd-8900-713f-9842-bfb3da1c5e4a\n', false],
  ['{019cadfd-8900-713f-9842-bfb3da1c5e4a}', false],
  ['', false],
])('%j is a UUID: %s', (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});

describe('random base62', () => {
  test.each([0, 1, 32, 1_000])('has exactly %i characters of the alphabet', (length) => {
    expect(randomBase62(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`));
  });

  test('uses every character about equally often', () => {
    const counts = Map.groupBy(randomBase62(62_000), (letter) => letter);
    expect(counts.size).toBe(62);
    // About 1,000 of each are expected, with a standard deviation of 32; a difference of ten times that is
    // practically impossible.
    for (const { length } of counts.values()) expect(Math.abs(length - 1_000)).toBeLessThan(320);
  });
});
