import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { MemberRanges, MemberRef, Query_AnalysableMembersArgs } from '#generated/schema';

type Row = Omit<MemberRef, 'tierMultiplier'> & { readonly tierMultiplier: string };

/**
 * Finds members by three lists. Each list has its own index, so each has its own subquery. The lists are
 * joined as rows: with long arrays the planner may compare item by item, which takes seconds.
 */
export async function findRefs(
  ctx: Context,
  wanted: {
    readonly ids: readonly string[];
    readonly emailIndexes: readonly string[];
    readonly externalIds: readonly string[];
  },
): Promise<MemberRef[]> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Row>(
    `SELECT m.id, m.status, m.email_index, m.external_id, m.is_restricted,
            coalesce(t.multiplier, 1) AS tier_multiplier, t.name AS tier_name
       FROM loyalty.members AS m
       JOIN (SELECT w.id FROM ${rowsOf('$3::uuid[]')} AS w(id)
              UNION
             SELECT e.id FROM ${rowsOf('$4::text[]')} AS w(name)
               JOIN loyalty.members AS e
                 ON ${inScope('e')} AND e.email_index = w.name
              UNION
             SELECT e.id FROM ${rowsOf('$5::text[]')} AS w(name)
               JOIN loyalty.members AS e
                 ON ${inScope('e')} AND e.external_id = w.name) AS k
         ON k.id = m.id
       LEFT JOIN loyalty.tiers AS t ON t.workspace_id = m.workspace_id AND t.id = m.current_tier_id
      WHERE ${inScope('m')} AND m.status <> 'DELETED'`,
    [workspaceId, mode, wanted.ids, wanted.emailIndexes, wanted.externalIds],
  );
  return rows.map((row) => ({ ...row, tierMultiplier: Number(row.tierMultiplier) }));
}

/** $3 is the time by which a member must have joined. */
const MAY_BE_ANALYSED = `m.status IN ('ACTIVE', 'UNSUBSCRIBED') AND NOT m.is_restricted
  AND m.created_at <= $3`;

export interface WantedRanges {
  readonly afterId: string;
  readonly createdBy: Date;
  readonly size: number;
  readonly ranges: number;
}

/** Returns ranges of `size` members after an id; the last of all may be smaller. One pass over the index. */
export async function findRanges(ctx: Context, wanted: WantedRanges): Promise<MemberRanges> {
  const { afterId, createdBy, size, ranges } = wanted;
  const rows = await ctx.sql.query<{ toId: string; members: number }>(
    `SELECT id AS to_id, members FROM (
       SELECT m.id, (row_number() OVER (ORDER BY m.id))::int AS members,
              lead(m.id) OVER (ORDER BY m.id) IS NULL AS is_end
         FROM (SELECT m.id FROM loyalty.members AS m
                WHERE ${inScope('m')} AND m.id > $4 AND ${MAY_BE_ANALYSED}
                ORDER BY m.id LIMIT $5) AS m) AS numbered
      WHERE members % $6 = 0 OR is_end
      ORDER BY members`,
    [...scopeOf(ctx), createdBy, afterId, size * ranges, size],
  );
  const members = rows.at(-1)?.members ?? 0;
  return { toIds: rows.map(({ toId }) => toId), members, isLast: members < size * ranges };
}

/** Returns ids of the members of a range who may be analysed; only those in `ids`, unless it is empty. */
export async function findAnalysable(ctx: Context, wanted: Query_AnalysableMembersArgs): Promise<string[]> {
  const { afterId, toId, ids, createdBy } = wanted;
  const [found] = await ctx.sql.query<{ ids: string[] }>(
    `SELECT coalesce(json_agg(m.id ORDER BY m.id), '[]') AS ids FROM loyalty.members AS m
      WHERE ${inScope('m')} AND ${MAY_BE_ANALYSED} AND m.id > $4 AND m.id <= $5
        AND (cardinality($6::uuid[]) = 0 OR m.id = ANY($6::uuid[]))`,
    [...scopeOf(ctx), createdBy, afterId, toId, ids],
  );
  return found!.ids;
}
