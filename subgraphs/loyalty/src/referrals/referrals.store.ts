import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';

export interface Referral {
  /** The referred member. */
  readonly memberId: string;
  readonly ambassadorId: string;
  readonly codeId: string;
  readonly createdAt: Date;
}

/** Returns false if the member has an ambassador: the primary key decides who was first. */
export async function insertReferral(ctx: Context, referral: Omit<Referral, 'createdAt'>): Promise<boolean> {
  const { memberId, ambassadorId, codeId } = referral;
  const made = await ctx.sql.query(
    `INSERT INTO loyalty.referrals (workspace_id, mode, member_id, ambassador_id, code_id, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING member_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, memberId, ambassadorId, codeId, ctx.clock.now()],
  );
  return made.length > 0;
}

export async function findReferral(ctx: Context, memberId: string): Promise<Referral | null> {
  const [row] = await ctx.sql.query<Referral>(
    `SELECT member_id, ambassador_id, code_id, created_at
       FROM loyalty.referrals WHERE ${inScope()} AND member_id = $3`,
    [ctx.scope.workspaceId, ctx.scope.mode, memberId],
  );
  return row ?? null;
}

/** Counts an order; returns the ambassador, null if it is counted already or the member has no ambassador. */
export async function insertReferredOrder(
  ctx: Context,
  orderId: string,
  memberId: string,
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ ambassadorId: string }>(
    `WITH made AS (
       INSERT INTO loyalty.referred_orders (workspace_id, mode, order_id, member_id, created_at)
       SELECT r.workspace_id, r.mode, $3::uuid, r.member_id, $5::timestamptz
         FROM loyalty.referrals AS r
        WHERE ${inScope('r')} AND r.member_id = $4
       ON CONFLICT DO NOTHING RETURNING member_id)
     SELECT r.ambassador_id FROM made
       JOIN loyalty.referrals AS r
         ON ${inScope('r')} AND r.member_id = made.member_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, orderId, memberId, ctx.clock.now()],
  );
  return row?.ambassadorId ?? null;
}
