import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { MemberStatus } from '../members/members.service.ts';

type BulkAwardStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

/** The selected members: by their ids, or by the conditions that are not null. */
export interface BulkTarget {
  readonly memberIds: readonly string[];
  readonly tierId: string | null;
  readonly memberStatus: MemberStatus | null;
  readonly tagId: string | null;
  readonly pointsMin: number | null;
}

/** An award of the same amount to many members. */
export interface BulkAward extends BulkTarget {
  readonly id: string;
  readonly status: BulkAwardStatus;
  /** Points for each member. */
  readonly amount: number;
  readonly description: string;
  readonly total: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  /** The last processed member. */
  readonly afterId: string;
  /** The caller who started it. */
  readonly actor: string;
  /** The reason why its job failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

const select = {
  ...columns('id', 'status', 'amount', 'description', 'memberIds', 'tierId'),
  ...columns('memberStatus', 'tagId', 'pointsMin', 'total', 'processed', 'succeeded'),
  ...columns('failed', 'afterId', 'actor', 'failure', 'createdAt', 'finishedAt'),
};
const sqlColumns = inSql(select);
const own = inScope();

/** Members who meet the conditions: `$3` tier, `$4` member status, `$5` tag, `$6` points at least. */
const meeting = `${own} AND ($3::uuid IS NULL OR current_tier_id = $3::uuid)
  AND ($4::text IS NULL OR status = $4::loyalty."MemberStatus")
  AND ($5::uuid IS NULL OR EXISTS (
    SELECT 1 FROM loyalty.member_tags AS t
     WHERE ${inScope('t')} AND t.member_id = members.id
       AND t.tag_id = $5::uuid))
  AND ($6::int IS NULL OR points_balance >= $6::int)`;
/** Members who meet the conditions and accept points: `$7` their statuses, `$8` enrolled by. */
const targeted = `${meeting}
  AND status = ANY($7::loyalty."MemberStatus"[]) AND created_at <= $8::timestamptz`;

const boundTo = ({ scope }: Context, { tierId, memberStatus, tagId, pointsMin }: BulkTarget) =>
  [scope.workspaceId, scope.mode, tierId, memberStatus, tagId, pointsMin] as const;

export function insertBulkAward(
  ctx: Context,
  award: Pick<BulkAward, 'id' | 'amount' | 'description' | 'total'> & BulkTarget,
): Promise<BulkAward> {
  const { actor } = ctx.caller;
  const data = { ...award, status: 'QUEUED', afterId: NO_ID, actor, createdAt: ctx.clock.now() } as const;
  return ctx.prisma.bulkAward.create({ data, select });
}

export async function countTargets(
  ctx: Context,
  target: BulkTarget,
  open: readonly string[],
): Promise<number> {
  const [row] = await ctx.sql.query<{ members: number }>(
    `SELECT count(*)::int AS members FROM loyalty.members WHERE ${targeted}`,
    [...boundTo(ctx, target), open, ctx.clock.now()],
  );
  return row!.members;
}

/** The numbers of members who would receive the points, and of those who would not. */
export interface TargetCounts {
  readonly members: number;
  readonly erasurePending: number;
  readonly overLimit: number;
  readonly unknown: number;
}

/**
 * `$7` ids of members, or null; `$8` statuses that accept points, `$9` the largest balance before the award.
 */
const COUNT_TARGETS = `
SELECT count(*) FILTER (WHERE takes AND points_balance <= $9::int)::int AS members,
       count(*) FILTER (WHERE takes AND points_balance > $9::int)::int AS over_limit,
       count(*) FILTER (WHERE status = 'DEACTIVATION_PENDING')::int AS erasure_pending,
       greatest(cardinality($7::uuid[]) - count(*), 0)::int AS unknown
  FROM (SELECT status, points_balance, status = ANY($8::loyalty."MemberStatus"[]) AS takes
          FROM loyalty.members
         WHERE ${meeting} AND erased_at IS NULL
           AND (cardinality($7::uuid[]) = 0 OR id = ANY($7::uuid[]))) AS met`;

/** @param balanceMax - the largest balance to which an award may be added */
export async function countPreview(
  ctx: Context,
  target: BulkTarget,
  open: readonly string[],
  balanceMax: number,
): Promise<TargetCounts> {
  const params = [...boundTo(ctx, target), target.memberIds, open, balanceMax];
  const [row] = await ctx.sql.query<TargetCounts>(COUNT_TARGETS, params);
  return row!;
}

/** Returns the next members, sorted by id, of a bulk award without a list of members. */
export async function nextTargets(
  ctx: Context,
  award: BulkAward,
  open: readonly string[],
  count: number,
): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM loyalty.members WHERE ${targeted} AND id > $9 ORDER BY id LIMIT $10`,
    [...boundTo(ctx, award), open, award.createdAt, award.afterId, count],
  );
  return rows.map(({ id }) => id);
}

export const bulkAwardById = loader(async (ctx, ids: readonly string[]) => {
  const rows: BulkAward[] = await ctx.prisma.bulkAward.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export const bulkAwardsPage = (ctx: Context, request: PageRequest): Promise<Page<BulkAward>> =>
  pageOf(ctx.prisma.bulkAward, request, { where: {}, select });

/** Locks a bulk award until the transaction ends; returns null if it is finished. */
export const lockBulkAward = (tx: Context, id: string): Promise<BulkAward | null> =>
  tx.prisma.bulkAward.findFirstForUpdate({ where: { id, finishedAt: null }, select });

/** Adds the counts of a step; `afterId` is the last processed member. */
export async function advanceBulkAward(
  ctx: Context,
  id: string,
  step: { readonly afterId: string; readonly succeeded: number; readonly failed: number },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.bulk_awards
        SET status = 'RUNNING', after_id = $4, processed = processed + $5::int + $6::int,
            succeeded = succeeded + $5::int, failed = failed + $6::int
      WHERE ${own} AND id = $3 AND finished_at IS NULL`,
    [workspaceId, mode, id, step.afterId, step.succeeded, step.failed],
  );
}

/** Returns null if it was finished before. */
export async function finishBulkAward(
  ctx: Context,
  id: string,
  status: 'COMPLETED' | 'FAILED' | 'CANCELLED',
  failure: string | null = null,
): Promise<BulkAward | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<BulkAward>(
    `UPDATE loyalty.bulk_awards
        SET status = $4::loyalty."LoyaltyRunStatus", finished_at = $5, failure = $6,
            total = CASE WHEN $4 = 'COMPLETED' THEN processed ELSE total END
      WHERE ${own} AND id = $3 AND finished_at IS NULL RETURNING ${sqlColumns}`,
    [workspaceId, mode, id, status, ctx.clock.now(), failure],
  );
  return row ?? null;
}

/** Queues a failed one again with its progress; returns null if it has not failed. */
export async function reopenBulkAward(tx: Context, id: string): Promise<BulkAward | null> {
  const [row] = await tx.prisma.bulkAward.updateManyAndReturn({
    where: { id, status: 'FAILED' },
    data: { status: 'QUEUED', failure: null, finishedAt: null },
    select,
  });
  return row ?? null;
}
