import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { MemberStatus } from '../members/members.service.ts';

export interface AmbassadorCode {
  readonly id: string;
  readonly memberId: string;
  readonly code: string;
  readonly poolId: string | null;
  readonly createdAt: Date;
  /** Null while it is live. */
  readonly deactivatedAt: Date | null;
}

export interface CodeCounts {
  readonly members: number;
  readonly orders: number;
}

const select = columns('id', 'memberId', 'code', 'poolId', 'createdAt', 'deactivatedAt');
const sqlColumns = inSql(select, 'c');

/**
 * Returns null if the member has a live code or none of the statuses, or the code exists: the unique indexes
 * decide.
 */
export async function insertCode(
  ctx: Context,
  code: Pick<AmbassadorCode, 'id' | 'memberId' | 'code' | 'poolId'>,
  allowedStatuses: readonly MemberStatus[],
): Promise<AmbassadorCode | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `INSERT INTO loyalty.ambassador_codes AS c (workspace_id, mode, id, member_id, code, pool_id, created_at)
     SELECT $1::uuid, $2::platform."Mode", $4::uuid, m.id, $5::text, $6::uuid, $7::timestamptz
       FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.id = $3
        AND m.status = ANY($8::loyalty."MemberStatus"[])
     ON CONFLICT DO NOTHING
     RETURNING ${sqlColumns}`,
    [workspaceId, mode, code.memberId, code.id, code.code, code.poolId, ctx.clock.now(), allowedStatuses],
  );
  return row ?? null;
}

export const findLiveCodeOf = (ctx: Context, memberId: string): Promise<AmbassadorCode | null> =>
  ctx.prisma.ambassadorCode.findFirst({ where: { memberId, deactivatedAt: null }, select });

export const findCode = (ctx: Context, id: string): Promise<AmbassadorCode | null> =>
  ctx.prisma.ambassadorCode.findFirst({ where: { id }, select });

/** Returns a live code of a member in one of the statuses. */
export async function liveCode(
  ctx: Context,
  code: string,
  allowedStatuses: readonly MemberStatus[],
): Promise<AmbassadorCode | null> {
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${sqlColumns} FROM loyalty.ambassador_codes AS c
       JOIN loyalty.members AS m
         ON m.workspace_id = c.workspace_id AND m.mode = c.mode AND m.id = c.member_id
      WHERE ${inScope('c')} AND c.code = $3 AND c.deactivated_at IS NULL
        AND m.status = ANY($4::loyalty."MemberStatus"[])`,
    [ctx.scope.workspaceId, ctx.scope.mode, code, allowedStatuses],
  );
  return row ?? null;
}

/** Returns null if there is no such live code. */
export async function endCode(ctx: Context, id: string): Promise<AmbassadorCode | null> {
  const [row] = await ctx.prisma.ambassadorCode.updateManyAndReturn({
    where: { id, deactivatedAt: null },
    data: { deactivatedAt: ctx.clock.now() },
    select,
  });
  return row ?? null;
}

export const codesPage = (
  ctx: Context,
  request: PageRequest,
  { memberId, isLive }: { readonly memberId: string | null; readonly isLive: boolean | null },
): Promise<Page<AmbassadorCode>> =>
  pageOf(ctx.prisma.ambassadorCode, request, {
    where: {
      ...(memberId && { memberId }),
      ...(isLive !== null && { deactivatedAt: isLive ? null : { not: null } }),
    },
    select,
  });

export const codeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.prisma.ambassadorCode.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

export const countsByCode = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<CodeCounts & { id: string }>(
    `SELECT r.code_id AS id, count(DISTINCT r.member_id)::int AS members, count(o.order_id)::int AS orders
       FROM loyalty.referrals AS r
       LEFT JOIN loyalty.referred_orders AS o
         ON o.workspace_id = r.workspace_id AND o.mode = r.mode AND o.member_id = r.member_id
      WHERE ${inScope('r')} AND r.code_id = ANY($3::uuid[])
      GROUP BY r.code_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
});
