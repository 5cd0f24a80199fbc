import { describe, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { eventually } from '@loyalty/test/harness/eventually';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { ask } from '../loyalty.fixture.ts';
import { fillBatch, generateCoupons, importCoupons } from './coupon-batches.service.ts';
import { insertCodes, lockBatch } from './coupon-batches.store.ts';
import { isCode, randomCodes } from './coupon-codes.ts';
import { setCouponPoolStatus } from './coupon-pools.service.ts';
import { COUNTS, captured, countedByRows, poolOf } from './coupons.fixture.ts';
import { fillCouponBatchJob, publishLowStockJob } from './coupons.jobs.ts';
import { issueCoupon } from './coupons.service.ts';

const { ctx, fresh } = useServices();

const POOL = `query ($id: ID!) { couponPool(id: $id) { status ${COUNTS}
  lastBatch { id status requested created finishedAt }
  lastImport { accepted skippedCount skipped { code reason } } } }`;
const read = async (id: string, as = fresh()) => (await ask(as, POOL, { id })).couponPool;

describe('pools', () => {
  const CREATE = `mutation ($input: CreateCouponPoolInput!) { createCouponPool(input: $input) {
    id name couponType discountDisplay status couponsExpireAt availableCount lastBatch { id } } }`;
  const input = { name: ' Welcome ', couponType: 'PERCENT', discountDisplay: '20% off' };

  test('a pool opens active and empty, audited, and shared with the sandbox', async () => {
    const { createCouponPool: pool } = await ask(fresh(), CREATE, { input });
    expect(pool).toMatchObject({ name: 'Welcome', status: 'ACTIVE', availableCount: 0, lastBatch: null });
    const sandbox = fresh({ mode: 'TEST' });
    expect(await read(pool.id, sandbox)).toMatchObject({ status: 'ACTIVE' });
    await expect(ask(sandbox, CREATE, { input })).rejects.toMatchObject({ code: 'LIVE_ONLY' });
    const audited = await ctx.sql.query('SELECT action FROM platform.audit_entries WHERE resource_id = $1', [
      pool.id,
    ]);
    expect(audited).toEqual([{ action: 'createCouponPool' }]);
  });

  test('pools are found by a part of their name, in any case, and a sign of a pattern is a letter', async () => {
    for (const name of ['Spring 10%', 'Summer', 'Late summer'])
      await ask(fresh(), CREATE, { input: { ...input, name } });
    const found = async (search: string) => {
      const list = 'query ($search: String) { couponPools(search: $search) { totalCount nodes { name } } }';
      const { couponPools } = await ask(fresh(), list, { search });
      expect(couponPools.totalCount).toBe(couponPools.nodes.length);
      return couponPools.nodes.map(({ name }: { name: string }) => name);
    };
    expect(await found('SUMMER')).toEqual(['Late summer', 'Summer']);
    expect(await found('%')).toEqual(['Spring 10%']);
    expect(await found('_')).toEqual([]);
  });

  test.each([
    ['an empty name', { name: ' ' }, 'input.name'],
    ['an empty discount', { discountDisplay: '' }, 'input.discountDisplay'],
    ['an expiry now', { couponsExpireAt: '2026-03-02T10:00:00.000Z' }, 'input.couponsExpireAt'],
  ])('%s is refused', async (_, wrong, field) => {
    const made = ask(fresh(), CREATE, { input: { ...input, ...wrong } });
    await expect(made).rejects.toThrow(field);
  });

  test('active and paused change into each other and into archived, which is final', async () => {
    const { id } = await poolOf(ctx, 0);
    for (const status of ['PAUSED', 'PAUSED', 'ACTIVE', 'PAUSED', 'ARCHIVED', 'ARCHIVED'] as const)
      expect((await setCouponPoolStatus(ctx, id, status)).status).toBe(status);
    for (const status of ['ACTIVE', 'PAUSED'] as const) {
      await expect(setCouponPoolStatus(ctx, id, status)).rejects.toMatchObject({
        code: 'COUPON_POOL_STATUS_CONFLICT',
        category: 'CONFLICT',
      });
    }
    await expect(setCouponPoolStatus(ctx, id, 'PAUSED', true)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });
});

describe('generating', () => {
  test('up to 5,000 codes are there at once, unguessable and of the wanted form', async () => {
    const { id } = await poolOf(ctx, 0);
    await generateCoupons(ctx, id, 50, 'spring');
    expect(await read(id)).toMatchObject({
      availableCount: 50,
      lastBatch: { status: 'COMPLETED', requested: 50, created: 50 },
    });
    const { coupons } = await ask(fresh(), '{ coupons(first: 200) { totalCount nodes { code } } }');
    expect(coupons.totalCount).toBe(50);
    for (const { code } of coupons.nodes)
      expect(code).toMatch(
        /^SPRING-[2-9B-DF-HJKMNP-TV-Z]{4}-[2-9B-DF-HJKMNP-TV-Z]{4}-[2-9B-DF-HJKMNP-TV-Z]{5}$/,
      );
  });

  test('letters come about equally often, and no code comes twice', () => {
    const codes = randomCodes(20_000, null);
    expect(new Set(codes).size).toBe(20_000);
    expect(codes.every(isCode)).toBe(true);
    const letters = codes.join('').replaceAll('-', '');
    const times = Object.values(Object.groupBy(letters, (letter) => letter)).map((all) => all!.length);
    expect(times).toHaveLength(28);
    const mean = letters.length / 28;
    for (const count of times) expect(Math.abs(count - mean)).toBeLessThan(6 * Math.sqrt(mean));
  });

  test('more codes are made by a job, which goes on where it was interrupted and may run twice', async () => {
    const { id } = await poolOf(ctx, 0);
    await generateCoupons(ctx, id, 10_001);
    const { lastBatch } = await read(id);
    expect(lastBatch).toMatchObject({ status: 'REQUESTED', created: 0 });
    const batchId = lastBatch.id;
    expect(await publishedEvents(ctx, 'loyalty.coupon_batch_requested')).toEqual([
      { batchId, codes: 10_001 },
    ]);
    await Promise.all([
      fillCouponBatchJob.run(fresh(), { batchId }),
      fillCouponBatchJob.run(fresh(), { batchId }),
    ]);
    await fillBatch(fresh(), batchId);
    expect(await read(id)).toMatchObject({
      availableCount: 10_001,
      lastBatch: { status: 'COMPLETED', created: 10_001, finishedAt: expect.any(String) },
    });
  });

  test('a job that finds its batch in the hands of another one waits longer than a request would', async () => {
    const { id } = await poolOf(ctx, 0);
    await generateCoupons(ctx, id, 5_001);
    const batchId = (await read(id)).lastBatch.id;
    const [locked, releasing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = fresh().transaction(async (tx) => {
      await lockBatch(tx, batchId);
      locked.resolve();
      await releasing.promise;
    });
    await locked.promise;
    const filling = fillCouponBatchJob.run(fresh(), { batchId });
    try {
      await Promise.race([eventually(expectOneToWaitOverASecond), filling]);
    } finally {
      releasing.resolve();
    }
    await Promise.all([held, filling]);
    expect(await read(id)).toMatchObject({ availableCount: 5_001, lastBatch: { status: 'COMPLETED' } });
  });

  /** Waits until a statement has waited for a lock for over a second, which requests may not. */
  async function expectOneToWaitOverASecond(): Promise<void> {
    const waiting = await ctx.sql.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND clock_timestamp() - query_start > interval '1.2 seconds'`,
    );
    expect(waiting).toHaveLength(1);
  }

  test('a batch whose pool was archived stops, and archived pools take no codes', async () => {
    const { id } = await poolOf(ctx, 0);
    await generateCoupons(ctx, id, 6_000);
    await setCouponPoolStatus(ctx, id, 'ARCHIVED');
    const { lastBatch } = await read(id);
    await fillBatch(fresh(), lastBatch.id);
    expect(await read(id)).toMatchObject({ availableCount: 0, lastBatch: { status: 'STOPPED', created: 0 } });
    await expect(generateCoupons(ctx, id, 1)).rejects.toMatchObject({ code: 'POOL_UNAVAILABLE' });
    await expect(importCoupons(ctx, id, ['CODE-1'])).rejects.toMatchObject({ code: 'POOL_UNAVAILABLE' });
  });

  test("counts over the workspace's cap, below one and odd prefixes are refused", async () => {
    const { id } = await poolOf(ctx, 0);
    const capped = fresh({ limits: { ...defaultLimits, valueCap: 10 } });
    await expect(generateCoupons(capped, id, 11)).rejects.toMatchObject({ code: 'AMOUNT_OVER_CAP' });
    await expect(importCoupons(capped, id, Array(11).fill('X'))).rejects.toMatchObject({
      code: 'AMOUNT_OVER_CAP',
    });
    await expect(generateCoupons(ctx, id, 0)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(generateCoupons(ctx, id, 1, 'a b')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(generateCoupons(ctx, ctx.scope.workspaceId, 1)).rejects.toMatchObject({
      code: 'COUPON_POOL_NOT_FOUND',
    });
  });

  test('a code that the workspace has already is not added again', async () => {
    const { id } = await poolOf(ctx, 0);
    expect(await insertCodes(ctx, id, ['TAKEN-1', 'FREE-1'])).toHaveLength(2);
    expect(await insertCodes(ctx, id, ['TAKEN-1', 'FREE-2'])).toEqual(['FREE-2']);
    expect(await read(id)).toMatchObject({ availableCount: 3 });
  });
});

test('an import adds what it can and reports what it left out and why', async () => {
  const [pool, other] = [await poolOf(ctx, 0), await poolOf(ctx, 0)];
  await importCoupons(ctx, other.id, ['there-1']);
  const codes = [' new-1 ', 'NEW-1', 'New-2', 'There-1', 'x', 'has space', 'ümlaut', 'y'.repeat(65)];
  const { importCoupons: answer } = await ask(
    fresh(),
    `mutation ($id: ID!, $codes: [String!]!) { importCoupons(poolId: $id, codes: $codes) {
      availableCount lastImport { accepted skippedCount skipped { code reason } } } }`,
    { id: pool.id, codes },
  );
  expect(answer).toEqual({
    availableCount: 2,
    lastImport: {
      accepted: 2,
      skippedCount: 6,
      skipped: [
        { code: 'NEW-1', reason: 'REPEATED' },
        { code: 'x', reason: 'INVALID' },
        { code: 'has space', reason: 'INVALID' },
        { code: 'ümlaut', reason: 'INVALID' },
        { code: 'y'.repeat(64), reason: 'INVALID' },
        { code: 'There-1', reason: 'EXISTS' },
      ],
    },
  });
  await expect(importCoupons(ctx, pool.id, [])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await expect(importCoupons(ctx, pool.id, Array(10_001).fill('A'))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
  const again = randomCodes(10_000, null);
  await importCoupons(ctx, pool.id, again);
  await importCoupons(ctx, pool.id, again);
  const { availableCount, lastImport } = await read(pool.id);
  expect(availableCount).toBe(10_002);
  expect(lastImport).toMatchObject({ accepted: 0, skippedCount: 10_000 });
  expect(lastImport.skipped).toHaveLength(1_000);
  expect(await countedByRows(ctx, pool.id)).toMatchObject({ availableCount: 10_002 });
});

test('codes keep their spelling, and of codes that differ in case only one is kept, whoever imports them', async () => {
  const pools = [await poolOf(ctx, 0), await poolOf(ctx, 0)];
  const spellings = ['Summer-20', 'SUMMER-20', 'summer-20', 'sUMMER-20'];
  await Promise.all(spellings.map((code, n) => importCoupons(fresh(), pools[n % 2]!.id, [code, `own-${n}`])));
  const { coupons } = await ask(fresh(), '{ coupons(first: 200) { nodes { code } } }');
  const codes = coupons.nodes.map(({ code }: { code: string }) => code) as string[];
  expect(codes.filter((code) => code.startsWith('own-')).sort()).toEqual([
    'own-0',
    'own-1',
    'own-2',
    'own-3',
  ]);
  const kept = codes.filter((code) => !code.startsWith('own-'));
  expect(kept).toHaveLength(1);
  expect(spellings).toContain(kept[0]);
  for (const spelling of [...spellings, ' SummeR-20 ']) {
    const { couponByCode } = await ask(
      fresh(),
      'query ($code: String!) { couponByCode(code: $code) { code } }',
      { code: spelling },
    );
    expect(couponByCode).toEqual({ code: kept[0] });
  }
});

test('a low stock is published once, and again only after a refill', async () => {
  const pool = await poolOf(ctx, 4, { lowStockThreshold: 2 });
  const draw = async () => {
    await issueCoupon(fresh(), pool.id, (await captured(ctx)).id);
    const drawn = await publishedEvents(ctx, 'loyalty.coupon_stock_drawn');
    await Promise.all([1, 2].map(() => publishLowStockJob.run(fresh(), drawn.at(-1))));
  };
  const low = () => publishedEvents(ctx, 'coupon.pool_low');
  await draw();
  expect(await low()).toEqual([]);
  await draw();
  expect(await low()).toEqual([{ poolId: pool.id, available: 2 }]);
  await draw();
  expect(await low()).toHaveLength(1);
  await generateCoupons(ctx, pool.id, 2);
  await draw();
  expect(await low()).toEqual([
    { poolId: pool.id, available: 2 },
    { poolId: pool.id, available: 2 },
  ]);
});
