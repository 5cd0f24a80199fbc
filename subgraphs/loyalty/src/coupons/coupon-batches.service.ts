import { AppError, conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { atLeast, from1To } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import { audit } from '@loyalty/platform/identity/audit';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchJob } from '@loyalty/platform/subscriptions/watch-job';
import { publish } from '@loyalty/platform/work/events';
import {
  batchById,
  type CouponBatch,
  type CouponBatchStatus,
  failUnfinished,
  insertBatch,
  insertCodes,
  lastBatchByPool,
  lockBatch,
  reopenBatch,
  saveProgress,
} from './coupon-batches.store.ts';
import { codeKey, isCode, isPrefix, randomCodes } from './coupon-codes.ts';
import { type CouponPool, lockOpenPool } from './coupon-pools.service.ts';
import { noteRefill, recordImport, type SkipReason } from './coupon-stock.service.ts';
import { couponBatchRequested } from './coupons.events.ts';

/** Codes per transaction. The request generates this many; a job generates the rest. */
const CHUNK = 5_000;

/**
 * Timeouts of a chunk, longer than those of a request. A concurrent job waits for the chunk of the first one.
 */
const CHUNK_SECONDS = { statement: 60, lock: 60 };

/** Loads a batch and its progress; null if there is none. */
export const findBatch = (ctx: Context, id: string): Promise<CouponBatch | null> => ctx.load(batchById, id);

/** Yields a batch now and after its changes. @throws AppError COUPON_BATCH_NOT_FOUND (404) */
export const watchBatch = (ctx: Context, id: string): Promise<Snapshots<CouponBatch>> =>
  watchJob(ctx, id, { noun: 'couponBatch', find: findBatch });

/** Loads the newest batch of a pool in the caller's mode; null before the first. */
export const lastBatch = (ctx: Context, poolId: string): Promise<CouponBatch | null> =>
  ctx.load(lastBatchByPool, poolId);

/**
 * Generates codes that cannot be guessed: up to 5,000 before it returns, the rest by a job that continues
 * after an interruption. Each code is unique in the workspace and mode.
 *
 * @param count - codes, 1 to the workspace's cap per call
 * @param prefix - 1 to 10 letters or digits
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE
 *   (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 * @remarks Source: requirements L-CPN-22, L-PTS-15
 */
export async function generateCoupons(
  ctx: Context,
  poolId: string,
  count: number,
  prefix: string | null = null,
): Promise<CouponPool> {
  await guardWrite(ctx, 'value');
  guardValue(ctx, 'count', count);
  if (count < 1) throw invalid('count', atLeast(1));
  const begins = prefix?.trim().toUpperCase() || null;
  if (begins && !isPrefix(begins)) throw invalid('prefix', 'must be 1 to 10 letters or digits');
  return ctx.transaction(async (tx) => {
    const pool = await lockOpenPool(tx, poolId);
    const batch = await insertBatch(tx, { id: newId(tx.clock), poolId, prefix: begins, requested: count });
    const shown = { poolId, requested: count, prefix: begins };
    const resource = { resourceType: 'CouponBatch', resourceId: batch.id };
    await audit(tx, { action: 'generateCoupons', ...resource, after: shown });
    if (count > CHUNK) await publish(tx, couponBatchRequested, { batchId: batch.id, codes: count });
    else await addChunk(tx, pool, batch);
    return pool;
  });
}

/**
 * Starts a failed batch again; it generates the missing codes.
 *
 * @throws AppError COUPON_BATCH_NOT_FOUND (404), COUPON_BATCH_NOT_FAILED (409)
 */
export async function retryCouponBatch(ctx: Context, id: string): Promise<CouponBatch> {
  return ctx.transaction(async (tx) => {
    const retried = await reopenBatch(tx, id);
    if (!retried && !(await findBatch(tx, id))) throw notFound('coupon batch', id);
    if (!retried) throw conflict('COUPON_BATCH_NOT_FAILED', 'Only a batch that failed can be retried.');
    const codes = retried.requested - retried.created;
    await publish(tx, couponBatchRequested, { batchId: id, codes });
    await audit(tx, { action: 'retryCouponBatch', resourceType: 'CouponBatch', resourceId: id });
    return retried;
  });
}

/**
 * Generates the missing codes of a batch, 5,000 in each transaction. A batch whose pool was archived is
 * stopped; has no effect on a finished one.
 */
export async function fillBatch(ctx: Context, batchId: string): Promise<void> {
  for (;;) {
    const isOver = await ctx.transaction(async (tx) => {
      await setStatementTimeout(tx, CHUNK_SECONDS);
      const batch = await lockBatch(tx, batchId);
      if (!batch || batch.finishedAt) return true;
      const pool = await findOpenPool(tx, batch.poolId);
      if (pool) return (await addChunk(tx, pool, batch)) === 'COMPLETED';
      await saveProgress(tx, batchId, { ...batch, status: 'STOPPED', finishedAt: tx.clock.now() });
      publishEnd(tx, 'couponBatch', batchId);
      return true;
    });
    if (isOver) return;
  }
}

/** Marks a batch as failed; has no effect on a finished one. */
export async function failBatch(ctx: Context, id: string, failure: string): Promise<void> {
  if (await failUnfinished(ctx, id, failure)) publishEnd(ctx, 'couponBatch', id);
}

async function findOpenPool(tx: Context, poolId: string): Promise<CouponPool | null> {
  try {
    return await lockOpenPool(tx, poolId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'POOL_UNAVAILABLE') return null;
    throw error;
  }
}

async function addChunk(tx: Context, pool: CouponPool, batch: CouponBatch): Promise<CouponBatchStatus> {
  const wanted = Math.min(CHUNK, batch.requested - batch.created);
  let missing = wanted;
  while (missing > 0) {
    const added = await insertCodes(tx, pool.id, randomCodes(missing, batch.prefix));
    missing -= added.length;
  }
  const created = batch.created + wanted;
  const isDone = created === batch.requested;
  const status = isDone ? 'COMPLETED' : 'RUNNING';
  await saveProgress(tx, batch.id, { created, status, finishedAt: isDone ? tx.clock.now() : null });
  (isDone ? publishEnd : publishProgress)(tx, 'couponBatch', batch.id);
  await noteRefill(tx, pool);
  return status;
}

const CODES_MAX = 10_000;

/** Characters of an invalid code that the report shows. */
const SHOWN_LENGTH_MAX = 64;

interface Skipped {
  readonly code: string;
  readonly reason: SkipReason;
}

/**
 * Adds codes to a pool, trimmed, in their own spelling. Codes that cannot be added are left out and reported,
 * including codes that differ from another only in case. The others are added in one transaction.
 *
 * @param codes - 1 to 10,000, each 4 to 64 printable ASCII characters without spaces
 * @returns the pool; its `lastImport` is the report
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), COUPON_POOL_NOT_FOUND (404), POOL_UNAVAILABLE
 *   (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function importCoupons(
  ctx: Context,
  poolId: string,
  codes: readonly string[],
): Promise<CouponPool> {
  await guardWrite(ctx, 'value');
  guardValue(ctx, 'codes', codes.length);
  if (codes.length < 1 || codes.length > CODES_MAX) throw invalid('codes', from1To(CODES_MAX, 'codes'));
  const { fit, skipped } = checkCodes(codes);
  return ctx.transaction(async (tx) => {
    const pool = await lockOpenPool(tx, poolId);
    const added = new Set<string>();
    for (let start = 0; start < fit.length; start += CHUNK)
      for (const code of await insertCodes(tx, poolId, fit.slice(start, start + CHUNK))) added.add(code);
    for (const code of fit) if (!added.has(code)) skipped.push({ code, reason: 'EXISTS' });
    const counts = { accepted: added.size, skippedCount: skipped.length };
    await recordImport(tx, poolId, { ...counts, skipped, importedAt: tx.clock.now() });
    await audit(tx, {
      action: 'importCoupons',
      resourceType: 'CouponPool',
      resourceId: poolId,
      after: counts,
    });
    await noteRefill(tx, pool);
    return pool;
  });
}

function checkCodes(codes: readonly string[]): { fit: string[]; skipped: Skipped[] } {
  const fit = new Map<string, string>();
  const skipped: Skipped[] = [];
  for (const text of codes) {
    const code = text.trim();
    const key = codeKey(code);
    if (!isCode(code)) skipped.push({ code: code.slice(0, SHOWN_LENGTH_MAX), reason: 'INVALID' });
    else if (fit.has(key)) skipped.push({ code, reason: 'REPEATED' });
    else fit.set(key, code);
  }
  return { fit: [...fit.values()], skipped };
}
