import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import { codeKey } from './coupon-codes.ts';
import { countMoves } from './coupon-sql.ts';

export type CouponBatchStatus = 'REQUESTED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED';

export interface CouponBatch {
  readonly id: string;
  readonly poolId: string;
  readonly prefix: string | null;
  readonly status: CouponBatchStatus;
  /** Requested codes. */
  readonly requested: number;
  /** Codes generated so far. */
  readonly created: number;
  /** The caller who requested it; null for batches from before this was stored. */
  readonly actor: string | null;
  /** The reason why its job failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const select = {
  ...columns('id', 'poolId', 'prefix', 'status', 'requested'),
  ...columns('created', 'actor', 'failure', 'createdAt', 'finishedAt'),
};
const sqlColumns = inSql(select, 'b');

export const batchById = loader(async (ctx, ids: readonly string[]) => {
  const rows: CouponBatch[] = await ctx.prisma.couponBatch.findMany({
    where: { id: { in: [...ids] } },
    select,
  });
  return new Map(rows.map((row) => [row.id, row]));
});

export const lastBatchByPool = loader(async (ctx, poolIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<CouponBatch>(
    `SELECT last.* FROM unnest($3::uuid[]) AS w(pool_id)
      CROSS JOIN LATERAL (
        SELECT ${sqlColumns} FROM loyalty.coupon_batches AS b
         WHERE ${inScope('b')} AND b.pool_id = w.pool_id ORDER BY b.id DESC LIMIT 1) AS last`,
    [workspaceId, mode, poolIds],
  );
  return new Map(rows.map((row) => [row.poolId, row]));
});

export function insertBatch(
  tx: Context,
  batch: Pick<CouponBatch, 'id' | 'poolId' | 'prefix' | 'requested'>,
): Promise<CouponBatch> {
  const { actor } = tx.caller;
  const data = { ...batch, created: 0, status: 'REQUESTED', actor, createdAt: tx.clock.now() } as const;
  return tx.prisma.couponBatch.create({ data, select });
}

/** Returns the batch and locks it: nobody else generates codes for it until the transaction ends. */
export const lockBatch = (tx: Context, id: string): Promise<CouponBatch | null> =>
  tx.prisma.couponBatch.findFirstForUpdate({ where: { id }, select });

export async function saveProgress(
  tx: Context,
  id: string,
  { created, status, finishedAt }: Pick<CouponBatch, 'created' | 'status' | 'finishedAt'>,
): Promise<void> {
  await tx.prisma.couponBatch.updateMany({ where: { id }, data: { created, status, finishedAt } });
}

/** Marks an unfinished batch as failed; returns false if it is finished. */
export async function failUnfinished(ctx: Context, id: string, failure: string): Promise<boolean> {
  const failed = await ctx.prisma.couponBatch.updateMany({
    where: { id, finishedAt: null },
    data: { status: 'FAILED', failure, finishedAt: ctx.clock.now() },
  });
  return failed.count > 0;
}

/** Queues a failed batch again with its progress; returns null if it has not failed. */
export async function reopenBatch(tx: Context, id: string): Promise<CouponBatch | null> {
  const [row] = await tx.prisma.couponBatch.updateManyAndReturn({
    where: { id, status: 'FAILED' },
    data: { status: 'REQUESTED', failure: null, finishedAt: null },
    select,
  });
  return row ?? null;
}

const INSERT = `
WITH added AS (
  INSERT INTO loyalty.coupons (workspace_id, mode, id, pool_id, code, code_key, status, created_at)
  SELECT $1::uuid, $2::platform."Mode", n.id, $5::uuid, n.code, n.code_key, 'AVAILABLE', $6::timestamptz
    FROM unnest($3::uuid[], $4::text[], $7::text[]) AS n(id, code, code_key)
  ON CONFLICT (workspace_id, mode, code_key) DO NOTHING
  RETURNING workspace_id, mode, pool_id, code,
            NULL::loyalty."CouponStatus" AS from_status, status AS to_status
), counted AS (${countMoves('added')})
SELECT code FROM added`;

/** Adds codes to a pool; returns those that are new to the workspace and mode, regardless of case. */
export async function insertCodes(tx: Context, poolId: string, codes: readonly string[]): Promise<string[]> {
  const { workspaceId, mode } = tx.scope;
  const ids = codes.map(() => newId(tx.clock));
  const rows = await tx.sql.query<{ code: string }>(INSERT, [
    workspaceId,
    mode,
    ids,
    codes,
    poolId,
    tx.clock.now(),
    codes.map(codeKey),
  ]);
  return rows.map(({ code }) => code);
}
