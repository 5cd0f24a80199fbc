import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../harness/eventually.ts';
import { fewestStatements } from '../harness/fewest-statements.ts';
import { useStack } from '../harness/stack.ts';
import { capture, importCodes, openPool, openStore, setStatus } from './coupons.fixture.ts';
import { enrol } from './members/members.fixture.ts';
import { expectError, shapes } from './shapes.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
});

const unknown = newId(systemClock);
const get = (path: string) => stack.rest('GET', `/api/v2${path}`, { as: key });
const post = (path: string, body?: unknown, headers = {}) =>
  stack.rest('POST', `/api/v2${path}`, { as: key, headers, ...(body !== undefined && { body }) });

const pool = {
  id: shapes.uuid,
  name: expect.any(String),
  coupon_type: 'percent',
  discount_display: '20% off',
  status: 'active',
};
const coupon = {
  id: shapes.uuid,
  code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/),
  pool_id: shapes.uuid,
  redeemed: false,
  expires_at: null,
};

async function issue(poolId: string) {
  return (await post('/coupons/issue', { pool_id: poolId, assigned_to: await capture(stack, token) })).body;
}

describe('GET /coupons/pools', () => {
  test('answers a page of pools and the total, newest first, by status and type', async () => {
    const first = await openPool(stack, token, 0);
    const second = await openPool(stack, token, 0, { couponType: 'FREE_ITEM' });
    await setStatus(stack, token, second, 'PAUSED');
    const { status, body } = await get('/coupons/pools?limit=2');
    expect(status).toBe(200);
    expect(body).toEqual({
      pools: [
        { ...pool, id: second, coupon_type: 'free_item', status: 'paused' },
        { ...pool, id: first },
      ],
      total: expect.any(Number),
    });
    const ids = async (query: string) =>
      (await get(`/coupons/pools?${query}`)).body.pools.map(({ id }: { id: string }) => id);
    expect(await ids('status=paused')).toEqual([second]);
    expect(await ids('coupon_type=free_item&status=active')).toEqual([]);
    expect(await ids('coupon_type=free_item')).toEqual([second]);
    expect(await ids('limit=1&offset=1')).toEqual([first]);
  });

  test.each(['status=closed', 'coupon_type=gift', 'limit=201', 'limit=0', 'offset=-1'])(
    '?%s is 400 and names the parameter',
    async (query) => {
      expectError(
        await get(`/coupons/pools?${query}`),
        400,
        'VALIDATION_FAILED',
        new RegExp(`^${query.split('=')[0]} must`),
      );
    },
  );
});

describe('GET /coupons', () => {
  test('answers the codes of a pool and their total, newest first', async () => {
    const id = await openPool(stack, token, 60, { couponsExpireAt: '2099-01-01T00:00:00.000Z' });
    const { status, body } = await get(`/coupons?pool_id=${id}`);
    expect(status).toBe(200);
    expect(body.total).toBe(60);
    expect(body.coupons).toHaveLength(50);
    expect(body.coupons[0]).toEqual({ ...coupon, pool_id: id, expires_at: '2099-01-01T00:00:00.000Z' });
    const rest = (await get(`/coupons?pool_id=${id}&limit=200&offset=50`)).body;
    expect(rest.coupons).toHaveLength(10);
    const codes = [...body.coupons, ...rest.coupons].map(({ code }: { code: string }) => code);
    expect(new Set(codes).size).toBe(60);
    expect((await get('/coupons?limit=1')).body.total).toBeGreaterThanOrEqual(60);
    expect((await get(`/coupons?pool_id=${unknown}`)).body).toEqual({ coupons: [], total: 0 });
  });

  test('?code= finds a code in any case, alone and among those of a pool', async () => {
    const [id, other] = [await openPool(stack, token, 0), await openPool(stack, token, 3)];
    await importCodes(stack, token, id, ['Winter-Sale', 'Winter-Sale-2']);
    for (const code of ['Winter-Sale', 'WINTER-SALE', 'winter-sale', '%20winter-SALE%20']) {
      const { body } = await get(`/coupons?code=${code}`);
      expect(body).toEqual({ coupons: [{ ...coupon, code: 'Winter-Sale', pool_id: id }], total: 1 });
    }
    expect((await get(`/coupons?code=winter-sale&pool_id=${id}`)).body.total).toBe(1);
    for (const query of ['code=winter', `code=winter-sale&pool_id=${other}`, 'code=winter-sale&offset=1'])
      expect((await get(`/coupons?${query}`)).body.coupons).toEqual([]);
    for (const none of ['', 'x'.repeat(65)])
      expectError(await get(`/coupons?code=${none}`), 400, 'VALIDATION_FAILED', /^code must/);
  });

  test('a page of 50 costs as many statements as one of 1', async () => {
    await openPool(stack, token, 50);
    const cost = async (limit: number) => {
      const path = `/coupons?limit=${limit}`;
      const { statements, answer } = await fewestStatements(stack, () => get(path));
      expect(answer.body.coupons).toHaveLength(limit);
      return statements;
    };
    expect(await cost(50)).toBe(await cost(1));
  });
});

describe('POST /coupons/issue', () => {
  test('answers 200 with the coupon, the same one to the same capture', async () => {
    const id = await openPool(stack, token, 2);
    const body = { pool_id: id, assigned_to: await capture(stack, token) };
    const reply = await post('/coupons/issue', body);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...coupon, pool_id: id });
    expect((await post('/coupons/issue', body)).body).toEqual(reply.body);
  });

  test('unknown pool or capture is 404, a pool that is empty, paused or archived 409', async () => {
    const id = await openPool(stack, token, 1);
    const assigned = await capture(stack, token);
    const expectRefusal = async (body: object, status: number, code: string) =>
      expectError(await post('/coupons/issue', body), status, code, /./);
    await expectRefusal({ pool_id: unknown, assigned_to: assigned }, 404, 'COUPON_POOL_NOT_FOUND');
    await expectRefusal({ pool_id: id, assigned_to: unknown }, 404, 'CAPTURE_NOT_FOUND');
    await issue(id);
    await expectRefusal({ pool_id: id, assigned_to: assigned }, 409, 'POOL_EXHAUSTED');
    for (const status of ['PAUSED', 'ARCHIVED']) {
      await setStatus(stack, token, id, status);
      await expectRefusal({ pool_id: id, assigned_to: assigned }, 409, 'POOL_UNAVAILABLE');
    }
  });

  test.each([
    [{}, 'pool_id is required'],
    [{ pool_id: unknown }, 'assigned_to is required'],
  ])('%j is 400 and names the field', async (body, sentence) => {
    expectError(await post('/coupons/issue', body), 400, 'VALIDATION_FAILED', sentence);
  });

  test('needs coupons:write or members:write', async () => {
    const reader = (await stack.key(token, ['coupons:read'])).secret;
    const reply = await stack.rest('POST', '/api/v2/coupons/issue', {
      as: reader,
      body: { pool_id: unknown, assigned_to: unknown },
    });
    expectError(reply, 403, 'SCOPE_MISSING', 'coupons:write');
  });
});

describe('POST /coupons/{id}/redeem', () => {
  test('answers 200 with the redeemed coupon, with or without a store; again it is 404', async () => {
    const id = await openPool(stack, token, 2);
    const [first, second] = [await issue(id), await issue(id)];
    const reply = await post(`/coupons/${first.id}/redeem`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ ...first, redeemed: true, redeemed_at: shapes.instant });
    const store_id = await openStore(stack, token);
    expect((await post(`/coupons/${second.id}/redeem`, { store_id })).status).toBe(200);
    for (const again of [first, second])
      expectError(await post(`/coupons/${again.id}/redeem`), 404, 'COUPON_NOT_REDEEMABLE', 'Do not honour');
  });

  test('unknown and void coupons, other ids and unknown stores are 404', async () => {
    const id = await openPool(stack, token, 2);
    const { id: couponId } = await issue(id);
    expectError(await post(`/coupons/${unknown}/redeem`), 404, 'COUPON_NOT_FOUND', unknown);
    expectError(await post('/coupons/abc/redeem'), 404, 'COUPON_NOT_FOUND', 'abc');
    expectError(
      await post(`/coupons/${couponId}/redeem`, { store_id: unknown }),
      404,
      'STORE_NOT_FOUND',
      /./,
    );
    await setStatus(stack, token, id, 'ARCHIVED', true);
    expectError(await post(`/coupons/${couponId}/redeem`), 404, 'COUPON_NOT_REDEEMABLE', 'void');
  });

  test('of thirty calls at once exactly one is 200', async () => {
    const { id } = await issue(await openPool(stack, token, 1));
    const replies = await Promise.all(Array.from({ length: 30 }, () => post(`/coupons/${id}/redeem`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(404)]);
  });

  test('a test coupon is 404 to a live key', async () => {
    const id = await openPool(stack, token, 0);
    const sandbox = (await stack.key(token, undefined, 'TEST')).secret;
    const generate = 'mutation ($id: ID!) { generateCoupons(poolId: $id, count: 1) { availableCount } }';
    const { data } = await stack.graph<Record<string, unknown>>(generate, { id }, sandbox);
    expect(data['generateCoupons']).toEqual({ availableCount: 1 });
    const list = await stack.rest('GET', `/api/v2/coupons?pool_id=${id}`, { as: sandbox });
    const [{ id: couponId }] = list.body.coupons;
    expectError(await post(`/coupons/${couponId}/redeem`), 404, 'COUPON_NOT_FOUND', couponId);
    expect((await get(`/coupons?pool_id=${id}`)).body.total).toBe(0);
  });
});

describe('coupons of members', () => {
  test('POST redeem-coupon takes points for a code, and GET coupons shows it until it is used', async () => {
    const id = await openPool(stack, token, 2);
    const member = await enrol(stack, key);
    await post(`/members/${member.id}/points`, { amount: 500 });
    const reply = await post(`/members/${member.id}/redeem-coupon`, { pool_id: id, points_cost: 400 });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      pointsDeducted: 400,
      newBalance: 100,
      coupon: { id: shapes.uuid, code: coupon.code },
    });
    const captured = await capture(stack, token, member.email);
    const issued = (await post('/coupons/issue', { pool_id: id, assigned_to: captured })).body;
    const own = (await get(`/members/${member.id}/coupons`)).body;
    expect(own).toEqual({
      memberId: member.id,
      coupons: expect.arrayContaining([issued, { ...issued, ...reply.body.coupon }]),
    });
    expect(own.coupons).toHaveLength(2);
    await post(`/coupons/${issued.id}/redeem`);
    expect((await get(`/members/${member.id}/coupons`)).body.coupons).toEqual([
      { ...issued, ...reply.body.coupon },
    ]);
  });

  test('redeem-coupon is replayed under an Idempotency-Key', async () => {
    const id = await openPool(stack, token, 2);
    const member = await enrol(stack, key);
    await post(`/members/${member.id}/points`, { amount: 100 });
    const again = { 'idempotency-key': 'redeem-1' };
    const body = { pool_id: id, points_cost: 60 };
    const first = await post(`/members/${member.id}/redeem-coupon`, body, again);
    expect((await post(`/members/${member.id}/redeem-coupon`, body, again)).body).toEqual(first.body);
    expect((await get(`/members/${member.id}/points`)).body.balance).toBe(40);
  });

  test('redeem-coupon that is not possible is 400, 404 or 409, and takes no points', async () => {
    const id = await openPool(stack, token, 0);
    const member = await enrol(stack, key);
    await post(`/members/${member.id}/points`, { amount: 50 });
    const path = `/members/${member.id}/redeem-coupon`;
    const expectRefusal = async (body: object, status: number, code: string, sentence: string | RegExp) =>
      expectError(await post(path, body), status, code, sentence);
    await expectRefusal({ points_cost: 1 }, 400, 'VALIDATION_FAILED', 'pool_id is required');
    await expectRefusal({ pool_id: id }, 400, 'VALIDATION_FAILED', 'points_cost is required');
    await expectRefusal({ pool_id: id, points_cost: 0 }, 400, 'VALIDATION_FAILED', /^points_cost must/);
    await expectRefusal({ pool_id: id, points_cost: 100_001 }, 400, 'AMOUNT_OVER_CAP', /^points_cost must/);
    await expectRefusal({ pool_id: unknown, points_cost: 1 }, 404, 'COUPON_POOL_NOT_FOUND', unknown);
    await expectRefusal({ pool_id: id, points_cost: 51 }, 409, 'INSUFFICIENT_POINTS', /points/);
    await expectRefusal({ pool_id: id, points_cost: 1 }, 409, 'POOL_EXHAUSTED', /pool/);
    await setStatus(stack, token, id, 'PAUSED');
    await expectRefusal({ pool_id: id, points_cost: 1 }, 409, 'POOL_UNAVAILABLE', /paused/);
    expect((await get(`/members/${member.id}/points`)).body.balance).toBe(50);
    const body = { pool_id: id, points_cost: 1 };
    for (const other of [unknown, 'x']) {
      expectError(await post(`/members/${other}/redeem-coupon`, body), 404, 'MEMBER_NOT_FOUND', other);
      expectError(await get(`/members/${other}/coupons`), 404, 'MEMBER_NOT_FOUND', other);
    }
  });
});

test('twelve thousand codes are made by the worker, and the pool shows how far it is', async () => {
  await stack.work();
  const id = await openPool(stack, token, 12_000);
  const query = '{ couponPool(id: "ID") { availableCount lastBatch { status requested created } } }';
  await eventually(async () => {
    const { data } = await stack.graph<Record<string, unknown>>(query.replace('ID', id), {}, token);
    expect(data['couponPool']).toEqual({
      availableCount: 12_000,
      lastBatch: { status: 'COMPLETED', requested: 12_000, created: 12_000 },
    });
  });
});

test('ten thousand codes are imported in one call', async () => {
  const id = await openPool(stack, token, 0);
  const codes = Array.from({ length: 10_000 }, (_, n) => `IMPORTED-${n}`);
  const { data, errors } = await stack.graph<Record<string, unknown>>(
    `mutation ($id: ID!, $codes: [String!]!) { importCoupons(poolId: $id, codes: $codes) {
      availableCount lastImport { accepted skippedCount } } }`,
    { id, codes },
    token,
  );
  expect(errors).toBeUndefined();
  const lastImport = { accepted: 10_000, skippedCount: 0 };
  expect(data['importCoupons']).toEqual({ availableCount: 10_000, lastImport });
});
