import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import { failedWith } from '@loyalty/prisma/sqlstate';

type TierRecalculationStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED';

/** A recalculation of every member's tier. */
export interface TierRecalculation {
  readonly id: string;
  readonly status: TierRecalculationStatus;
  /** Number of processed members. */
  readonly processed: number;
  readonly upgrades: number;
  readonly downgrades: number;
  /** The last processed member. */
  readonly afterId: string;
  /** The caller who requested it; null for recalculations from before this was stored. */
  readonly actor: string | null;
  /** The reason why its job failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const select = {
  ...columns('id', 'status', 'processed', 'upgrades', 'downgrades'),
  ...columns('afterId', 'actor', 'failure', 'createdAt', 'finishedAt'),
};

/** Returns null if one is open already: the unique index decides. */
export async function insertRecalculation(ctx: Context, id: string): Promise<TierRecalculation | null> {
  const { actor } = ctx.caller;
  const data = { id, status: 'QUEUED', afterId: NO_ID, actor, createdAt: ctx.clock.now() } as const;
  const [row] = await ctx.prisma.tierRecalculation.createManyAndReturn({
    data: [data],
    skipDuplicates: true,
    select,
  });
  return (row as TierRecalculation | undefined) ?? null;
}

export const openRecalculation = (ctx: Context): Promise<TierRecalculation | null> =>
  ctx.prisma.tierRecalculation.findFirst({
    where: { finishedAt: null },
    select,
  }) as Promise<TierRecalculation | null>;

export const recalculationById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.prisma.tierRecalculation.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map((rows as TierRecalculation[]).map((row) => [row.id, row]));
});

/** Locks a recalculation until the transaction ends; returns null if it is finished. */
export const lockRecalculation = (tx: Context, id: string): Promise<TierRecalculation | null> =>
  tx.prisma.tierRecalculation.findFirstForUpdate({
    where: { id, finishedAt: null },
    select,
  }) as Promise<TierRecalculation | null>;

/** Adds the counts of a step; a step to null is the last one. */
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
      WHERE ${inScope()} AND id = $3`,
    [workspaceId, mode, id, step.toId, step.processed, step.upgrades, step.downgrades, ctx.clock.now()],
  );
}

/** Marks an open one as failed; returns false if it is finished. */
export async function failOpen(ctx: Context, id: string, failure: string): Promise<boolean> {
  const failed = await ctx.prisma.tierRecalculation.updateMany({
    where: { id, finishedAt: null },
    data: { status: 'FAILED', failure, finishedAt: ctx.clock.now() },
  });
  return failed.count > 0;
}

/**
 * Queues a failed one again with its progress; returns null if it has not failed, 'OTHER_OPEN' if another one
 * is open: the unique index decides.
 */
export async function reopenRecalculation(
  tx: Context,
  id: string,
): Promise<TierRecalculation | null | 'OTHER_OPEN'> {
  try {
    const [row] = await tx.prisma.tierRecalculation.updateManyAndReturn({
      where: { id, status: 'FAILED' },
      data: { status: 'QUEUED', failure: null, finishedAt: null },
      select,
    });
    return (row as TierRecalculation | undefined) ?? null;
  } catch (error) {
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    return 'OTHER_OPEN';
  }
}

/** Counts the members of a range of ids. */
export async function countMembers(ctx: Context, afterId: string, toId: string): Promise<number> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ members: number }>(
    `SELECT count(*)::int AS members FROM loyalty.members
      WHERE ${inScope()} AND id > $3 AND id <= $4 AND status <> 'DELETED'`,
    [workspaceId, mode, afterId, toId],
  );
  return row!.members;
}
