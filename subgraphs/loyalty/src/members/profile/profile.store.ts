import { inScope } from '@loyalty/platform/caller/scope-sql';
import { loader } from '@loyalty/platform/loading/loaders';

/** All points that members ever spent; members who spent none are left out. */
export const redeemedByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ memberId: string; total: bigint }>(
    `SELECT member_id, -sum(amount)::bigint AS total
       FROM loyalty.points_entries
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])
        AND kind = 'REDEMPTION'
      GROUP BY member_id`,
    [workspaceId, mode, memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});
