import { describe, expect, test } from '@jest/globals';
import { canonicalJson, sha256Hex } from './canonical-json.ts';

describe('canonical JSON', () => {
  test('sorts keys, leaves out undefined fields and writes numbers as strings of 12 digits', () => {
    const value = { b: [1, true, null, 'x"y'], a: { z: 0.1 + 0.2, y: undefined, c: -0 }, é: 1 / 3 };
    expect(canonicalJson(value)).toBe(
      '{"a":{"c":"0","z":"0.3"},"b":["1",true,null,"x\\"y"],"é":"0.333333333333"}',
    );
  });

  test('gives the same text for what was read from it', () => {
    const text = canonicalJson({ many: 123_456_789_012_345, few: 1e-9, big: 1.5e300 });
    expect(text).toBe('{"big":"1.5e+300","few":"1e-9","many":"123456789012000"}');
    expect(canonicalJson(JSON.parse(text))).toBe(text);
  });

  test('refuses numbers that JSON does not have', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => canonicalJson([number])).toThrow(RangeError);
  });

  test('is hashed by SHA-256 of its UTF-8', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });
});
