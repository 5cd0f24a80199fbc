import { expect, test } from '@jest/globals';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { Caller } from '../base/caller.ts';
import type { Context } from '../context.ts';
import { eventExecution } from './event-execution.ts';

const { services } = useServices();

const request = { query: 'subscription { it }', variables: { id: 1 } };
const one = callerOf();

/** Executes one event for all subscriptions at the same time. Returns the contexts of the executions. */
async function executed(
  subscriptions: readonly { readonly caller: Caller; readonly request: object }[],
  areShared: boolean,
): Promise<Context[]> {
  const event = {};
  const contexts: Context[] = [];
  const answers = subscriptions.map(({ caller, request: asked }) =>
    eventExecution(asked, contextOf(services, caller), areShared, async (_, ctx) => {
      contexts.push(ctx);
      return { data: {} };
    })(event),
  );
  await Promise.all(answers);
  return contexts;
}

test('equal subscriptions of one caller share the execution of a shared event', async () => {
  const equal = { caller: { ...one }, request: { ...request } };
  expect(await executed([{ caller: one, request }, equal], true)).toHaveLength(1);
});

test.each([
  ['a caller of another workspace', { ...one, workspaceId: callerOf().workspaceId }, request],
  ['a caller of the other mode', { ...one, mode: 'TEST' as const }, request],
  ['a caller with other scopes', { ...one, scopes: ['notes:read'] }, request],
  ['another document', one, { ...request, query: 'subscription { other }' }],
  ['other variables', one, { ...request, variables: { id: 2 } }],
])('there is an execution of its own for %s', async (_, caller, asked) => {
  const contexts = await executed(
    [
      { caller: one, request },
      { caller, request: asked },
    ],
    true,
  );
  expect(contexts.map((ctx) => ctx.caller)).toEqual([one, caller]);
});

test('what executes in one moment shares a context of its caller, and of nobody else', async () => {
  const other = { ...one, mode: 'TEST' as const };
  const contexts = await executed(
    [one, one, other].map((caller) => ({ caller, request })),
    false,
  );
  expect(contexts.map(({ caller }) => caller.mode)).toEqual(['LIVE', 'LIVE', 'TEST']);
  expect(contexts[0]).toBe(contexts[1]);
});
