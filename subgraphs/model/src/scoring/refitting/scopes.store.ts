import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';

/** Every workspace and mode in the table, each found by one step in its index. */
const scopesIn = (table: string): string => `
  (WITH RECURSIVE scopes AS (
     (SELECT workspace_id, mode FROM ${table} ORDER BY workspace_id, mode LIMIT 1)
     UNION ALL
     SELECT further.* FROM scopes CROSS JOIN LATERAL (
       SELECT t.workspace_id, t.mode FROM ${table} AS t
        WHERE (t.workspace_id, t.mode) > (scopes.workspace_id, scopes.mode)
        ORDER BY t.workspace_id, t.mode LIMIT 1) AS further)
   SELECT workspace_id, mode FROM scopes)`;

/** Scopes with statistics have orders or events; receipts alone make no statistics. */
export const scopesWithFacts = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ SELECT workspace_id, mode
       FROM (${scopesIn('model.member_statistics')}
              UNION ${scopesIn('model.channel_receipt_facts')}) AS scopes
      ORDER BY workspace_id, mode`,
    [],
  );
