import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { newId } from '@loyalty/platform/values/ids';
import { countMoves } from '../coupon-pools/coupon-counts.ts';
import { codeKey } from './coupon-codes.ts';

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
  /** Who asked for it; null for batches of before this was kept. */
  readonly actor: string | null;
  /** Why its job failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const columns = `b.id, b.pool_id, b.prefix, b.status, b.requested, b.created, b.actor, b.failure,
  b.created_at, b.finished_at`;
const scoped = inScope('b');

export const batchById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<CouponBatch>(
    `SELECT ${columns} FROM loyalty.coupon_batches AS b WHERE ${scoped} AND b.id = ${anyOf('$3::uuid[]')}`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export const lastBatchByPool = loader(async (ctx, poolIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<CouponBatch>(
    `SELECT last.* FROM unnest($3::uuid[]) AS w(pool_id)
      CROSS JOIN LATERAL (SELECT ${columns} FROM loyalty.coupon_batches AS b
                           WHERE ${scoped} AND b.pool_id = w.pool_id ORDER BY b.id DESC LIMIT 1) AS last`,
    [workspaceId, mode, poolIds],
  );
  return new Map(rows.map((row) => [row.poolId, row]));
});

export async function insertBatch(
  tx: Context,
  batch: Pick<CouponBatch, 'id' | 'poolId' | 'prefix' | 'requested'>,
): Promise<CouponBatch> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<CouponBatch>(
    `INSERT INTO loyalty.coupon_batches AS b
       (workspace_id, mode, id, pool_id, prefix, requested, created, status, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, 0, 'REQUESTED', $7, $8) RETURNING ${columns}`,
    [
      workspaceId,
      mode,
      batch.id,
      batch.poolId,
      batch.prefix,
      batch.requested,
      tx.caller.actor,
      tx.clock.now(),
    ],
  );
  return row!;
}

/** The batch as it is now; nobody else generates codes for it until the transaction ends. */
export async function lockBatch(tx: Context, id: string): Promise<CouponBatch | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<CouponBatch>(
    `SELECT ${columns} FROM loyalty.coupon_batches AS b WHERE ${scoped} AND b.id = $3 FOR UPDATE`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

export async function saveProgress(
  tx: Context,
  id: string,
  progress: Pick<CouponBatch, 'created' | 'status' | 'finishedAt'>,
): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  await tx.sql.query(
    `UPDATE loyalty.coupon_batches AS b
        SET created = $4, status = $5::loyalty."CouponBatchStatus", finished_at = $6
      WHERE ${scoped} AND b.id = $3`,
    [workspaceId, mode, id, progress.created, progress.status, progress.finishedAt],
  );
}

/** Marks an unfinished batch as failed; false where it is finished. */
export async function failUnfinished(ctx: Context, id: string, failure: string): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `UPDATE loyalty.coupon_batches AS b SET status = 'FAILED', failure = $4, finished_at = $5
      WHERE ${scoped} AND b.id = $3 AND b.finished_at IS NULL RETURNING b.id`,
    [workspaceId, mode, id, failure, ctx.clock.now()],
  );
  return rows.length > 0;
}

/** Queues a failed batch again with its progress; null where it did not fail. */
export async function reopenBatch(tx: Context, id: string): Promise<CouponBatch | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<CouponBatch>(
    `UPDATE loyalty.coupon_batches AS b SET status = 'REQUESTED', failure = NULL, finished_at = NULL
      WHERE ${scoped} AND b.id = $3 AND b.status = 'FAILED' RETURNING ${columns}`,
    [workspaceId, mode, id],
  );
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

/** Adds codes to a pool; returns those that the workspace and mode did not have yet, in any case. */
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
