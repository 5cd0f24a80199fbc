import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { IS_PURCHASE } from '../facts/fact.ts';
import type { ItemSource } from './item-popularity.ts';

/** Members from `fromId` to `toId`; purchases after `since` up to `until`. */
export interface BasketRange {
  readonly fromId: string;
  readonly toId: string;
  readonly since: Date;
  readonly until: Date;
}

/**
 * Baskets of the range, each item once. An order counts by its latest row. Rows are aggregated and never
 * joined: right after an import the planner has no statistics of the tables, and a join can take minutes.
 */
const BASKETS: Readonly<Record<ItemSource, string>> = {
  ORDER_LINES: `
    SELECT items, occurred_at
      FROM (SELECT array_agg(DISTINCT item_id) FILTER (WHERE item_id IS NOT NULL) AS items,
                   max(occurred_at) FILTER (WHERE item_id IS NOT NULL) AS occurred_at,
                   (array_agg(is_counted ORDER BY recorded_at DESC, id DESC)
                      FILTER (WHERE item_id IS NULL))[1] AS is_counted
              FROM (SELECT order_id, NULL AS item_id, occurred_at, recorded_at, id,
                           ${IS_PURCHASE} AS is_counted
                      FROM model.order_facts
                     WHERE ${inScope()} AND member_id BETWEEN $3 AND $4
                       AND occurred_at > $5 AND occurred_at <= $6
                     UNION ALL
                    SELECT order_id, item_id, occurred_at, NULL, NULL, NULL
                      FROM model.order_line_facts
                     WHERE ${inScope()} AND member_id BETWEEN $3 AND $4
                       AND occurred_at > $5 AND occurred_at <= $6) AS rows
             GROUP BY order_id) AS orders
     WHERE is_counted AND items IS NOT NULL`,
  EVENTS: `
    SELECT array_agg(DISTINCT item_id) AS items, max(occurred_at) AS occurred_at
      FROM model.event_facts
     WHERE ${inScope()} AND member_id BETWEEN $3 AND $4
       AND occurred_at > $5 AND occurred_at <= $6 AND type = 'purchase' AND item_id IS NOT NULL
     GROUP BY member_id, occurred_at::date`,
};

const paramsOf = (ctx: Context, { fromId, toId, since, until }: BasketRange): unknown[] => [
  ...scopeOf(ctx),
  fromId,
  toId,
  since,
  until,
];

/** Returns all baskets of the range for counting and deletes their pending items. */
export const takeBaskets = (tx: Context, source: ItemSource, range: BasketRange): Promise<Basket[]> =>
  tx.sql.query<Basket>(
    `WITH noted AS (DELETE FROM model.uncounted_baskets
                     WHERE ${inScope()} AND member_id BETWEEN $3 AND $4
                       AND (order_id IS NULL) = (${source === 'EVENTS'}))
     SELECT items, occurred_at FROM (${BASKETS[source]}) AS baskets`,
    paramsOf(tx, range),
  );

/** Counts of what a range of members bought; `itemIds` and `itemBaskets` have the same order. */
export interface ItemCounts {
  readonly lines: number;
  readonly baskets: number;
  readonly dataThrough: Date | null;
  readonly itemIds: readonly string[];
  readonly itemBaskets: readonly number[];
}

export async function countItems(ctx: Context, source: ItemSource, range: BasketRange): Promise<ItemCounts> {
  const [counts] = await ctx.sql.query<ItemCounts>(
    `WITH baskets AS MATERIALIZED (${BASKETS[source]}),
     items AS (SELECT item_id, count(*)::int AS baskets
                 FROM baskets CROSS JOIN LATERAL unnest(items) AS item_id GROUP BY item_id)
     SELECT (SELECT coalesce(sum(cardinality(items)), 0)::int FROM baskets) AS lines,
            (SELECT count(*)::int FROM baskets) AS baskets,
            (SELECT max(occurred_at) FROM baskets) AS data_through,
            coalesce(array_agg(item_id), '{}') AS item_ids,
            coalesce(array_agg(baskets), '{}') AS item_baskets
       FROM items`,
    paramsOf(ctx, range),
  );
  return counts!;
}

interface PairCount {
  readonly first: string;
  readonly second: string;
  readonly baskets: number;
}

/**
 * Returns the number of baskets that contain both items of each pair; the smaller id of a pair comes first.
 */
export const countPairs = (
  ctx: Context,
  source: ItemSource,
  range: BasketRange,
  itemIds: readonly string[],
): Promise<PairCount[]> =>
  ctx.sql.query<PairCount>(
    `SELECT first, second, count(*)::int AS baskets
       FROM (SELECT ARRAY(SELECT unnest(items) INTERSECT SELECT unnest($7::text[])) AS items
               FROM (${BASKETS[source]}) AS all_items WHERE items && $7::text[]) AS baskets
      CROSS JOIN LATERAL unnest(items) AS first
      CROSS JOIN LATERAL unnest(items) AS second
      WHERE second COLLATE "C" > first COLLATE "C"
      GROUP BY first, second`,
    [...paramsOf(ctx, range), itemIds],
  );

export interface Basket {
  /** Distinct items. */
  readonly items: readonly string[];
  readonly occurredAt: Date;
}

/** Returns the member's latest baskets up to `until`, newest first. */
export const basketsOfMember = (
  ctx: Context,
  source: ItemSource,
  { memberId, until }: { readonly memberId: string; readonly until: Date },
  basketsMax: number,
): Promise<Basket[]> =>
  ctx.sql.query<Basket>(
    `SELECT items, occurred_at FROM (${BASKETS[source]}) AS baskets
      ORDER BY occurred_at DESC, items COLLATE "C" LIMIT $7`,
    [...paramsOf(ctx, { fromId: memberId, toId: memberId, since: new Date(0), until }), basketsMax],
  );

/** Returns every item that the member bought up to `until`, also in orders that were cancelled later. */
export async function itemsEverBought(
  ctx: Context,
  source: ItemSource,
  { memberId, until }: { readonly memberId: string; readonly until: Date },
): Promise<string[]> {
  const [table, condition] =
    source === 'EVENTS'
      ? ['event_facts', "AND type = 'purchase' AND item_id IS NOT NULL"]
      : ['order_line_facts', ''];
  const rows = await ctx.sql.query<{ itemId: string }>(
    `SELECT DISTINCT item_id FROM model.${table}
      WHERE ${inScope()} AND member_id = $3 AND occurred_at <= $4 ${condition}`,
    [...scopeOf(ctx), memberId, until],
  );
  return rows.map(({ itemId }) => itemId);
}

/** Returns the member with which a block of about `size` baskets ends; null if fewer remain. */
export async function endOfUncounted(ctx: Context, size: number): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM model.uncounted_baskets WHERE ${inScope()}
      ORDER BY member_id, id LIMIT 1 OFFSET $3`,
    [...scopeOf(ctx), size],
  );
  return row?.id ?? null;
}

/**
 * A basket by its current facts, with its items that are to be counted; an item as often as it was bought.
 */
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
 * Takes the uncounted baskets of all members up to an id, in one statement, so that taken items and current
 * facts are of the same moment: a fact that is not taken was counted before.
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

/** Returns the workspaces and modes with uncounted baskets. */
export const scopesWithUncounted = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ SELECT DISTINCT workspace_id, mode
       FROM model.uncounted_baskets ORDER BY workspace_id, mode`,
    [],
  );
