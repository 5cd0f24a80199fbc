import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import type { MemberRef } from '#generated/schema';

type Row = Omit<MemberRef, 'tierMultiplier'> & { readonly tierMultiplier: string };

/**
 * Each list has an index of its own, so each is looked up by itself. The lists are joined as rows: the
 * planner may compare a long array item by item, which takes seconds.
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
