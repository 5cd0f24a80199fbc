import { expect, test } from '@jest/globals';
import type { Tool } from '@modelcontextprotocol/client';
import { isRepeatable } from './agent-tools.ts';

const takesKey: Partial<Tool> = {
  inputSchema: { type: 'object', properties: { idempotencyKey: { type: 'string' } } },
};

test.each<[string, Partial<Tool>, boolean]>([
  ['that only reads', { annotations: { readOnlyHint: true } }, true],
  ['that takes a key', takesKey, true],
  ['with one effect', { annotations: { destructiveHint: false, idempotentHint: true } }, true],
  ['that changes something', { annotations: { destructiveHint: false } }, false],
  ['without hints', {}, false],
])('a call of a tool %s: may it be repeated?', (_, parts, may) => {
  expect(isRepeatable({ name: 'tool', inputSchema: { type: 'object' }, ...parts })).toBe(may);
});

test('a call of an unknown tool may not be repeated', () => {
  expect(isRepeatable(undefined)).toBe(false);
});
