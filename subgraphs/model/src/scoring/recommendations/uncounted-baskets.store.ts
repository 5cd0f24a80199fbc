import type { Scope } from '@loyalty/platform/caller/caller';
import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { IS_PURCHASE } from '../../facts/fact.ts';
import type { ItemSource } from './item-popularity.ts';

/** The member with which a block of about `size` baskets ends; null where fewer are left. */
export async function endOfUncounted(ctx: Context, size: number): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM model.uncounted_baskets WHERE ${inScope()}
      ORDER BY member_id, id LIMIT 1 OFFSET $3`,
    [...scopeOf(ctx), size],
  );
  return row?.id ?? null;
}

/** A basket as its facts are now, with what of it is to be counted; items as often as they were bought. */
export interface TakenBasket {
  readonly source: ItemSource;
  readonly occurredAt: Date;
  readonly addedIds: readonly string[];
  readonly allIds: readonly string[];
  readonly isCounted: boolean;
  readonly isCorrected: boolean;
}

const itemsOf = (table: string, sameBasket: string): string => `
  (SELECT array_agg(f.item_id) FROM model.${table} AS f
    WHERE ${inScope('f')} AND f.member_id = b.member_id AND ${sameBasket})`;

const LINES_OF_ORDER = itemsOf(
  'order_line_facts',
  'f.occurred_at = b.occurred_at AND f.order_id = b.order_id',
);

const EVENTS_OF_DAY = itemsOf(
  'event_facts',
  `f.occurred_at >= b.day AND f.occurred_at < b.day + 1 AND f.type = 'purchase'
     AND f.item_id IS NOT NULL`,
);

const IS_COUNTED = `
  (SELECT ${IS_PURCHASE} FROM model.order_facts AS o
    WHERE ${inScope('o')} AND o.member_id = b.member_id AND o.occurred_at = b.occurred_at
      AND o.order_id = b.order_id
    ORDER BY o.recorded_at DESC, o.id DESC LIMIT 1)`;

/**
 * Takes the baskets of all members up to one. It is one statement, so that what it takes and the facts beside
 * are of one moment: a fact that is not taken was counted before.
 */
export const takeUncounted = (tx: Context, toId: string): Promise<TakenBasket[]> =>
  tx.sql.query<TakenBasket>(
    `WITH taken AS (
       DELETE FROM model.uncounted_baskets WHERE ${inScope()} AND member_id <= $3
       RETURNING member_id, order_id, occurred_at, item_ids),
     baskets AS MATERIALIZED (
       SELECT member_id, order_id, min(occurred_at) AS occurred_at, occurred_at::date AS day,
              array_remove(array_agg(item_id), NULL) AS items, bool_or(item_ids = '[]') AS is_corrected
         FROM taken LEFT JOIN LATERAL jsonb_array_elements_text(item_ids) AS item_id ON true
        GROUP BY member_id, order_id, occurred_at::date)
     SELECT CASE WHEN b.order_id IS NULL THEN 'EVENTS' ELSE 'ORDER_LINES' END AS source, b.occurred_at,
            b.items AS added_ids, b.is_corrected,
            coalesce(CASE WHEN b.order_id IS NULL THEN ${EVENTS_OF_DAY} ELSE ${LINES_OF_ORDER} END, '{}')
              AS all_ids,
            b.order_id IS NULL OR coalesce(${IS_COUNTED}, false) AS is_counted
       FROM baskets AS b`,
    [...scopeOf(tx), toId],
  );

/** Workspaces and modes with baskets that are not counted. */
export const scopesWithUncounted = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ SELECT DISTINCT workspace_id, mode
       FROM model.uncounted_baskets ORDER BY workspace_id, mode`,
    [],
  );
