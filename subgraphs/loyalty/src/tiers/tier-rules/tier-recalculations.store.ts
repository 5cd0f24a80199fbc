import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { NO_ID } from '@loyalty/platform/values/ids';
import { failedWith } from '@loyalty/prisma/sqlstate';

type TierRecalculationStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/** A recalculation of every member's tier. */
export interface TierRecalculation {
  readonly id: string;
  readonly status: TierRecalculationStatus;
  /** Processed members. */
  readonly processed: number;
  readonly upgrades: number;
  readonly downgrades: number;
  /** The last processed member. */
  readonly afterId: string;
  /** Who asked for it; null for those of before this was kept. */
  readonly actor: string | null;
  /** Why its job failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const columns = `id, status, processed, upgrades, downgrades, after_id, actor, failure, created_at,
  finished_at`;
const own = inScope();

/** Null when one is open already: the unique index decides. */
export async function insertRecalculation(ctx: Context, id: string): Promise<TierRecalculation | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<TierRecalculation>(
    `INSERT INTO loyalty.tier_recalculations (workspace_id, mode, id, status, after_id, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, 'QUEUED', $4, $5, $6) ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [workspaceId, mode, id, NO_ID, ctx.caller.actor, ctx.clock.now()],
  );
  return row ?? null;
}

export async function openRecalculation(ctx: Context): Promise<TierRecalculation | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<TierRecalculation>(
    `SELECT ${columns} FROM loyalty.tier_recalculations WHERE ${own} AND finished_at IS NULL`,
    [workspaceId, mode],
  );
  return row ?? null;
}

export const recalculationById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<TierRecalculation>(
    `SELECT ${columns} FROM loyalty.tier_recalculations WHERE ${own} AND id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Locks a recalculation until the transaction ends; null once it is finished. */
export async function lockRecalculation(ctx: Context, id: string): Promise<TierRecalculation | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<TierRecalculation>(
    `SELECT ${columns} FROM loyalty.tier_recalculations
      WHERE ${own} AND id = $3 AND finished_at IS NULL FOR UPDATE`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/** Adds the counts of a step; a step to null is the last. */
export async function advanceRecalculation(
  ctx: Context,
  id: string,
  step: {
    readonly toId: string | null;
    readonly processed: number;
    readonly upgrades: number;
    readonly downgrades: number;
  },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.tier_recalculations
        SET after_id = coalesce($4::uuid, after_id), processed = processed + $5, upgrades = upgrades + $6,
            downgrades = downgrades + $7,
            status = (CASE WHEN $4::uuid IS NULL THEN 'COMPLETED' ELSE 'RUNNING'
              END)::loyalty."LoyaltyRunStatus",
            finished_at = CASE WHEN $4::uuid IS NULL THEN $8::timestamptz END
      WHERE ${own} AND id = $3`,
    [workspaceId, mode, id, step.toId, step.processed, step.upgrades, step.downgrades, ctx.clock.now()],
  );
}

/** Marks an open one as failed; false where it is finished. */
export async function failOpen(ctx: Context, id: string, failure: string): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `UPDATE loyalty.tier_recalculations SET status = 'FAILED', failure = $4, finished_at = $5
      WHERE ${own} AND id = $3 AND finished_at IS NULL RETURNING id`,
    [workspaceId, mode, id, failure, ctx.clock.now()],
  );
  return rows.length > 0;
}

/**
 * Queues a failed one again with its progress; null where it did not fail, 'OTHER_OPEN' where another one
 * is open: the unique index decides.
 */
export async function reopenRecalculation(
  tx: Context,
  id: string,
): Promise<TierRecalculation | null | 'OTHER_OPEN'> {
  const { workspaceId, mode } = tx.scope;
  try {
    const [row] = await tx.sql.query<TierRecalculation>(
      `UPDATE loyalty.tier_recalculations SET status = 'QUEUED', failure = NULL, finished_at = NULL
        WHERE ${own} AND id = $3 AND status = 'FAILED' RETURNING ${columns}`,
      [workspaceId, mode, id],
    );
    return row ?? null;
  } catch (error) {
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    return 'OTHER_OPEN';
  }
}

/** Members of a range of ids. */
export async function countMembers(ctx: Context, afterId: string, toId: string): Promise<number> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ members: number }>(
    `SELECT count(*)::int AS members FROM loyalty.members
      WHERE ${own} AND id > $3 AND id <= $4 AND status <> 'DELETED'`,
    [workspaceId, mode, afterId, toId],
  );
  return row!.members;
}
