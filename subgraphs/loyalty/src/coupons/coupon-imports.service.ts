import { guardValue, guardWrite } from '@loyalty/platform/caller/write-guard';
import type { Context } from '@loyalty/platform/context';
import { invalid } from '@loyalty/platform/errors';
import { audit } from '@loyalty/platform/operations/audit';
import { from1To } from '@loyalty/platform/values/input-rules';
import { insertCodes } from './coupon-batches.store.ts';
import { codeKey, isCode } from './coupon-codes.ts';
import { type CouponPool, lockOpenPool } from './coupon-pools.service.ts';
import { noteRefill, recordImport, type SkipReason } from './coupon-stock.service.ts';

const CODES_MAX = 10_000;
/** Codes added by one statement, so that it stays far below the statement timeout. */
const CHUNK = 5_000;
/** Longest part of an invalid code that the report shows. */
const SHOWN_LENGTH_MAX = 64;

interface Skipped {
  readonly code: string;
  readonly reason: SkipReason;
}

/**
 * Puts codes into a pool, trimmed and as they are spelled. Codes that cannot be added are left out and
 * reported, also codes that differ from another in case only. The others are added in one transaction.
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
