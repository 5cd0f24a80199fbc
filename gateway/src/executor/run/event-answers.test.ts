import { expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import type { CompiledOperation } from './compiled-operation.ts';
import { createEventAnswers } from './event-answers.ts';

const operation = {} as CompiledOperation;
const caller = { ...anonymous, workspaceId: 'w', actor: 'key:1' };
const asked = { operation, variables: { id: 1 }, from: { caller, requestId: 'r' } };
const event = {};

/** Counts how often two subscriptions to an event are executed. */
async function runsFor(other: typeof asked, otherEvent: object = event): Promise<number> {
  const answers = createEventAnswers();
  let runs = 0;
  const run = async () => {
    runs += 1;
    return { data: {} };
  };
  await Promise.all([answers.share(event, asked, run), answers.share(otherEvent, other, run)]);
  return runs;
}

test('equal subscriptions of one caller share the answer to an event', async () => {
  expect(
    await runsFor({ ...asked, variables: { id: 1 }, from: { caller: { ...caller }, requestId: 's' } }),
  ).toBe(1);
});

const by = (more: Partial<typeof caller>) => ({
  ...asked,
  from: { caller: { ...caller, ...more }, requestId: 'r' },
});

test.each([
  ['other variables', { ...asked, variables: { id: 2 } }],
  ['another operation', { ...asked, operation: {} as CompiledOperation }],
  ['a caller of another workspace', by({ workspaceId: 'v' })],
  ['a caller of the other mode', by({ mode: 'TEST' })],
  ['a caller with other scopes', by({ scopes: ['members:read'] })],
])('there is an answer of its own for %s', async (_, other) => {
  expect(await runsFor(other)).toBe(2);
});

test('another event has an answer of its own', async () => {
  expect(await runsFor(asked, {})).toBe(2);
});
