import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonFault, tidyJson } from './json-text.ts';

const placeOf = (text: string): string | null => {
  const fault = jsonFault(text);
  return fault && `${fault.line}:${fault.column}`;
};

test.each([
  ['', '1:1'],
  ['{', '1:2'],
  ['{"a": 1,}', '1:9'],
  ['{"a" 1}', '1:6'],
  ['{a: 1}', '1:2'],
  ['{"a":\n  1\n  "b": 2}', '3:3'],
  ['[1, 2', '1:6'],
  ['[1, 2}', '1:6'],
  ['[,]', '1:2'],
  ['[01]', '1:2'],
  ['[1.]', '1:2'],
  ["{'a': 1}", '1:2'],
  ['{"a": "b\n"}', '1:7'],
  ['{"😀": tru}', '1:7'],
  ['1 2', '1:3'],
  ['nullx', '1:1'],
])('%j stops being JSON at %s', (text, place) => {
  expect(placeOf(text)).toBe(place);
});

test('what is JSON has no fault, and tidied it is what JSON itself writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 7), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(jsonFault(text)).toBeNull();
      expect(tidyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});

test('a fault is found in every text that JSON refuses', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', '"', '}', ',', 'x', ' '), (json, at, sign) => {
      const place = at % (json.length + 1);
      const text = json.slice(0, place) + sign + json.slice(place + 1);
      const fault = jsonFault(text);
      let isRefused = false;
      try {
        JSON.parse(text);
      } catch {
        isRefused = true;
      }
      expect(fault !== null).toBe(isRefused);
      if (fault) expect(fault.offset).toBeLessThanOrEqual(text.length);
    }),
  );
});

test('tidying keeps numbers that a program would round', () => {
  expect(tidyJson('{"id":12345678901234567890,"none":[]}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "none": []\n}',
  );
});
