import { beforeAll, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.fixture.ts';
import { expectError } from '../contract/shapes.ts';
import { useStack } from '../harness/stack.ts';

const stack = useStack({ settings: { SUBGRAPH_TIMEOUT_MS: 30_000 }, timeouts: { lockTimeoutMs: 200 } });
let token: string;
let key: string;
let memberId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  memberId = (await enrol(stack, key)).id;
});

const SENTENCE = 'Other calls are changing the same data right now; nothing was changed. Try again.';

const award = (headers = {}) =>
  stack.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: { amount: 5 }, headers });

/** Runs `work` while another connection locks the row of the member. */
const whileHeld = <T>(work: () => Promise<T>): Promise<T> =>
  stack.services.database.transaction(async ({ sql }) => {
    await sql.query('SELECT FROM loyalty.members WHERE id = $1 FOR UPDATE', [memberId]);
    return work();
  });

const entries = () =>
  stack.services.database.sql.query('SELECT 1 FROM loyalty.points_entries WHERE member_id = $1', [memberId]);

test('a row that somebody holds for too long is 409 with Retry-After, and nothing is written', async () => {
  const replies = await whileHeld(() => Promise.all(Array.from({ length: 6 }, () => award())));
  for (const reply of replies) {
    expectError(reply, 409, 'ROW_BUSY', SENTENCE);
    expect(reply.headers.get('retry-after')).toBe('1');
  }
  expect(await entries()).toEqual([]);
});

test('over GraphQL it is a CONFLICT with its reason and the seconds to wait', async () => {
  const { errors } = await whileHeld(() =>
    stack.graph(
      'mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 5 }) { id } }',
      { id: memberId },
      token,
    ),
  );
  expect(errors).toMatchObject([
    { message: SENTENCE, extensions: { code: 'CONFLICT', reason: 'ROW_BUSY', retryAfterSeconds: 1 } },
  ]);
});

test('the refusal is not kept under the Idempotency-Key: the call that is sent again is done, once', async () => {
  const again = { 'idempotency-key': 'held-row' };
  const before = (await entries()).length;
  expect((await whileHeld(() => award(again))).status).toBe(409);
  expect((await award(again)).status).toBe(200);
  expect((await award(again)).status).toBe(200);
  expect((await entries()).length).toBe(before + 1);
});
