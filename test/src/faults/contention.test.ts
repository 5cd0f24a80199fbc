import { beforeAll, expect, test } from '@jest/globals';
import type { Sql } from '@loyalty/prisma/client';
import { capture, openPool } from '../contract/coupons.fixture.ts';
import { enrol } from '../contract/members/members.fixture.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';

// No timeout ends anything here, so that no result depends on the speed of the machine.
const LONG_MS = 60_000;
const stack = useStack({
  settings: { SUBGRAPH_TIMEOUT_MS: LONG_MS },
  timeouts: { connectionTimeoutMs: LONG_MS, lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS },
});
let token: string;
let key: string;

beforeAll(async () => {
  const { token: ownToken, workspaceId } = await stack.signUp();
  token = ownToken;
  await stack.services.database.sql.query(
    `UPDATE workspace.workspaces SET value_writes_per_minute = 100000, requests_per_minute = 100000
      WHERE id = $1`,
    [workspaceId],
  );
  key = (await stack.key(token)).secret;
});

const post = (path: string, body: object, headers = {}) =>
  stack.rest('POST', `/api/v2${path}`, { as: key, body, headers });

/** Takes a lock with `lock`; the result releases it. */
async function locked(lock: (sql: Sql) => Promise<unknown>): Promise<() => Promise<void>> {
  const [held, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = stack.services.database.transaction(async ({ sql }) => {
    await lock(sql);
    held.resolve();
    await end.promise;
  });
  await held.promise;
  return () => {
    end.resolve();
    return holding;
  };
}

const lockMember = (id: string) => (sql: Sql) =>
  sql.query('SELECT FROM loyalty.members WHERE id = $1 FOR UPDATE', [id]);

const waitingForLocks = async () =>
  (await stack.services.database.sql.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length;

/** The number of replies by status and error code. */
function tally(replies: readonly { status: number; headers: Headers }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, headers } of replies) {
    const answer = `${status} ${headers.get('x-error-code') ?? ''}`.trim();
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

test('200 awards at once to one member are all booked, with an Idempotency-Key or without', async () => {
  const { id } = await enrol(stack, key);
  const award = (index: number) =>
    post(`/members/${id}/points`, { amount: 5 }, index % 2 ? { 'idempotency-key': `award-${index}` } : {});
  const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => award(index)));
  expect(tally(replies)).toEqual({ '200': 200 });
  const balances = replies.map(({ body }) => body.balance as number).toSorted((a, b) => a - b);
  expect(balances).toEqual(Array.from({ length: 200 }, (_, index) => 5 * (index + 1)));
});

test('calls that wait for one row leave connections for everybody else', async () => {
  const { id } = await enrol(stack, key);
  const release = await locked(lockMember(id));
  const awards = Array.from({ length: 40 }, () => post(`/members/${id}/points`, { amount: 1 }));
  await eventually(async () => expect(await waitingForLocks()).toBe(4));
  expect(stack.services.database.pools().shared.waiting).toBe(0);
  const other = await enrol(stack, key);
  expect((await post(`/members/${other.id}/points`, { amount: 1 })).status).toBe(200);
  await release();
  expect(tally(await Promise.all(awards))).toEqual({ '200': 40 });
});

test('of many who want the last codes of a pool each code goes to one, and the others get POOL_EXHAUSTED', async () => {
  const poolId = await openPool(stack, token, 7);
  const captures = await Promise.all(Array.from({ length: 40 }, () => capture(stack, token)));
  const replies = await Promise.all(
    captures.map((assigned_to) => post('/coupons/issue', { pool_id: poolId, assigned_to })),
  );
  const { '409 POOL_EXHAUSTED': refused, ...issued } = tally(replies);
  expect(refused).toBe(33);
  expect(Object.values(issued)).toEqual([7]);
  const codes = replies.filter(({ status }) => status < 300).map(({ body }) => body.code as string);
  expect(new Set(codes).size).toBe(7);
});

test('segments that are written while a batch works on the profiles wait for it, and are all written', async () => {
  const create = (name: string) =>
    stack.graph<{ createSegment: { id: string } }>(
      `mutation ($name: String!) { createSegment(input: { name: $name, definition:
         { field: "points_balance", operator: "at_least", value: 0 } }) { id } }`,
      { name },
      token,
    );
  const first = await create('before');
  expect(first.errors).toBeUndefined();
  const [scope] = await stack.services.database.sql.query<{ workspace_id: string }>(
    'SELECT workspace_id FROM engagement.segments WHERE id = $1',
    [first.data.createSegment.id],
  );
  const release = await locked((sql) =>
    sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('engagement.profiles:' || $1 || ':LIVE', 0))`, [
      scope!.workspace_id,
    ]),
  );
  const written = Array.from({ length: 12 }, (_, index) => create(`beside ${index}`));
  await eventually(async () => expect(await waitingForLocks()).toBeGreaterThan(0));
  await release();
  for (const { errors } of await Promise.all(written)) expect(errors).toBeUndefined();
});
