import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { enrol } from './members.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
});

const unknown = newId(systemClock);

describe('points and tier', () => {
  test('POST points raises the balance and records a transaction; GET shows it', async () => {
    const { id } = await enrol(stack, key);
    const award = await stack.rest('POST', `/api/v2/members/${id}/points`, {
      as: key,
      body: { amount: 30, description: 'order 9' },
    });
    expect(award.status).toBe(200);
    expect(award.body).toEqual({ transactionId: shapes.uuid, balance: 30 });
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key });
    expect(body).toEqual({
      memberId: id,
      balance: 30,
      transactions: [
        {
          ...shapes.pointsTransaction,
          id: award.body.transactionId,
          amount: 30,
          balance_after: 30,
          description: 'order 9',
        },
      ],
    });
  });

  test('the ledger shows ten by default, newest first', async () => {
    const { id } = await enrol(stack, key);
    for (let n = 1; n <= 12; n += 1)
      await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: n } });
    const ten = (await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body.transactions;
    expect(ten.map(({ amount }: { amount: number }) => amount)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(
      (await stack.rest('GET', `/api/v2/members/${id}/points?limit=2`, { as: key })).body.transactions,
    ).toHaveLength(2);
  });

  test.each([
    [{ amount: 0 }, 'VALIDATION_FAILED', 'amount must be a whole number, at least 1'],
    [{ amount: -5 }, 'VALIDATION_FAILED', /^amount must be/],
    [{ amount: 1.5 }, 'VALIDATION_FAILED', /^amount must be/],
    [{ amount: '5' }, 'VALIDATION_FAILED', /^amount must be/],
    [{}, 'VALIDATION_FAILED', 'amount is required'],
    [{ amount: 100_001 }, 'AMOUNT_OVER_CAP', /^amount must be at most 100000/],
  ])('POST points with %j is 400 and moves nothing', async (body, code, sentence) => {
    const { id } = await enrol(stack, key);
    expectError(
      await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body }),
      400,
      code,
      sentence,
    );
    expect((await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body).toEqual({
      memberId: id,
      balance: 0,
      transactions: [],
    });
  });

  test('an Idempotency-Key awards once and replays the answer', async () => {
    const { id } = await enrol(stack, key);
    const send = (amount: number) =>
      stack.rest('POST', `/api/v2/members/${id}/points`, {
        as: key,
        body: { amount },
        headers: { 'idempotency-key': `sale-${id}` },
      });
    const [first, again] = [await send(5), await send(5)];
    expect(again.body).toEqual(first.body);
    expectError(await send(6), 409, 'IDEMPOTENCY_KEY_REUSED', /Idempotency-Key/);
    expect((await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key })).body.balance).toBe(5);
  });

  test('GET tier shows the current one and all by rank; earning crosses the threshold', async () => {
    for (const input of [
      { name: 'Bronze', rank: 1, upgradeThreshold: 10, multiplier: 1 },
      { name: 'Gold', rank: 2, upgradeThreshold: 100, multiplier: 1.5 },
    ]) {
      const { errors } = await stack.graph(
        'mutation ($input: CreateTierInput!) { createTier(input: $input) { id } }',
        { input },
        token,
      );
      expect(errors).toBeUndefined();
    }
    const { id } = await enrol(stack, key);
    const none = await stack.rest('GET', `/api/v2/members/${id}/tier`, { as: key });
    expect(none.body).toEqual({
      currentTier: null,
      allTiers: [
        { ...shapes.tier, name: 'Bronze' },
        { ...shapes.tier, name: 'Gold', multiplier: 1.5 },
      ],
    });
    await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 100 } });
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/tier`, { as: key });
    expect(body.currentTier).toEqual({
      ...shapes.tier,
      name: 'Gold',
      rank: 2,
      upgrade_threshold: 100,
      multiplier: 1.5,
    });
    expect((await stack.rest('GET', `/api/v2/members/${id}`, { as: key })).body.current_tier_id).toBe(
      body.currentTier.id,
    );
  });

  test.each(['points', 'tier'])('GET %s of an unknown member is 404', async (what) => {
    for (const id of [unknown, 'x'])
      expectError(
        await stack.rest('GET', `/api/v2/members/${id}/${what}`, { as: key }),
        404,
        'MEMBER_NOT_FOUND',
        id,
      );
  });

  test('POST points for an unknown member is 404', async () => {
    expectError(
      await stack.rest('POST', `/api/v2/members/${unknown}/points`, { as: key, body: { amount: 1 } }),
      404,
      'MEMBER_NOT_FOUND',
      unknown,
    );
  });

  test('points:write or members:write awards, members:read reads, nothing less does either', async () => {
    const { id } = await enrol(stack, key);
    const path = `/api/v2/members/${id}/points`;
    const statuses = [];
    for (const scope of ['points:write', 'members:write', 'members:read', 'coupons:write']) {
      const { secret } = await stack.key(token, [scope]);
      const award = await stack.rest('POST', path, { as: secret, body: { amount: 1 } });
      const read = await stack.rest('GET', path, { as: secret });
      statuses.push([scope, award.status, read.status]);
    }
    expect(statuses).toEqual([
      ['points:write', 200, 403],
      ['members:write', 200, 403],
      ['members:read', 403, 200],
      ['coupons:write', 403, 403],
    ]);
  });

  test('a member whose erasure is pending takes no points (409) and keeps those it has', async () => {
    const { id } = await enrol(stack, key);
    await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 3 } });
    const { errors } = await stack.graph(
      'mutation ($id: ID!) { requestErasure(memberId: $id) { id } }',
      { id },
      token,
    );
    expect(errors).toBeUndefined();
    const refused = await stack.rest('POST', `/api/v2/members/${id}/points`, {
      as: key,
      body: { amount: 1 },
    });
    expectError(refused, 409, 'MEMBER_CLOSED', /erasure is pending/);
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key });
    expect(body.balance).toBe(3);
  });
});

describe('in the background', () => {
  const run = async (query: string, variables: object = {}) => {
    const { data, errors } = await stack.graph<Record<string, Record<string, unknown>>>(
      query,
      variables,
      own.token,
    );
    expect(errors).toBeUndefined();
    return Object.values(data)[0]!;
  };
  let own: { token: string };
  let ownKey: string;
  beforeAll(async () => {
    own = await stack.signUp();
    ownKey = (await stack.key(own.token)).secret;
    await stack.work();
  });

  test('a bulk award reaches its members, and they show it', async () => {
    const { id } = await enrol(stack, ownKey);
    const award = await run(
      `mutation { startBulkAward(input: {amount: 7, description: "spring", status: ACTIVE}) { id total } }`,
    );
    expect(award).toMatchObject({ total: 1 });
    const query = 'query ($id: ID!) { bulkAward(id: $id) { status succeeded } }';
    await eventually(async () =>
      expect(await run(query, award)).toEqual({ status: 'COMPLETED', succeeded: 1 }),
    );
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: ownKey });
    expect(body).toMatchObject({ balance: 7, transactions: [{ amount: 7, description: 'spring' }] });
  });

  test('a recalculation of tiers comes to its end', async () => {
    const { id } = await run('mutation { recalculateTiers { id } }');
    const query = 'query ($id: ID!) { tierRecalculation(id: $id) { status upgrades } }';
    await eventually(async () =>
      expect(await run(query, { id })).toEqual({ status: 'COMPLETED', upgrades: 0 }),
    );
  });

  test('where points wait, POST points answers with the id of the entry to come and the balance of now', async () => {
    await run('mutation { updateProgram(input: {pointsPendingDays: 7}) { pointsPendingDays } }');
    const { id } = await enrol(stack, ownKey);
    const path = `/api/v2/members/${id}/points`;
    const award = await stack.rest('POST', path, { as: ownKey, body: { amount: 30 } });
    expect(award.body).toEqual({ transactionId: shapes.uuid, balance: 0 });
    const { body } = await stack.rest('GET', path, { as: ownKey });
    expect(body).toEqual({ memberId: id, balance: 0, transactions: [] });
  });
});
