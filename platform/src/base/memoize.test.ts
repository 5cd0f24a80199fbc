import { expect, test } from '@jest/globals';
import { deepFreeze, memoize } from './memoize.ts';

function counted() {
  const calls: object[][] = [];
  const pair = memoize((one: object, other: object) => {
    calls.push([one, other]);
    return { one, other };
  });
  return { calls, pair };
}

test('the same objects get the same result, which is made once', () => {
  const { calls, pair } = counted();
  const [a, b] = [{}, {}];
  expect(pair(a, b)).toBe(pair(a, b));
  expect(calls).toHaveLength(1);
});

test('objects that are only equal, or come in another order, get a result of their own', () => {
  const { calls, pair } = counted();
  const [a, b] = [{}, {}];
  const results = [pair(a, b), pair(b, a), pair(a, a), pair({}, b), pair(a, {})];
  expect(new Set(results).size).toBe(5);
  expect(results[1]).toEqual({ one: b, other: a });
  expect(calls).toHaveLength(5);
});

test('a result of undefined is kept, too, and one that could not be made is made again', () => {
  let calls = 0;
  const fails = memoize((_: object) => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
  });
  const input = {};
  expect(() => fails(input)).toThrow('not yet');
  expect([fails(input), fails(input)]).toEqual([undefined, undefined]);
  expect(calls).toBe(2);
});

test('a frozen value cannot be changed at any depth', () => {
  const value = deepFreeze({ list: [{ text: 'a' }], none: null });
  expect(() => value.list.push({ text: 'b' })).toThrow(TypeError);
  expect(() => Object.assign(value.list[0]!, { text: 'b' })).toThrow(TypeError);
  expect(value).toEqual({ list: [{ text: 'a' }], none: null });
});
