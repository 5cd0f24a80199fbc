import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { plainArray, textArray } from '../facts/array-literals.ts';
import type { ItemPartners } from './basket-counts.ts';
import type { ItemSource } from './item-popularity.ts';

/**
 * Locks the counting of the workspace's baskets for this transaction; returns false if another one has the
 * lock. It is an advisory lock, because the first count has no row to lock.
 */
export async function tryToCount(tx: Context): Promise<boolean> {
  const [row] = await tx.sql.query<{ isOurs: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('model.item_partners:' || $1 || $2, 0)) AS is_ours`,
    scopeOf(tx),
  );
  return row!.isOurs;
}

/** Returns those of the items that are in counted baskets, with their partners, unsorted. */
export const partnersOf = (
  ctx: Context,
  source: ItemSource,
  itemIds: readonly string[],
): Promise<ItemPartners[]> =>
  ctx.sql.query<ItemPartners>(
    `SELECT item_id, weight, partner_ids, partner_weights
       FROM model.item_partners
      WHERE ${inScope()} AND source = $3::model."ItemSource" AND item_id = ANY($4::text[])`,
    [...scopeOf(ctx), source, textArray(itemIds)],
  );

/** Returns the weight of all counted baskets (0 without any) and of the baskets with each item. */
export async function weightsOf(
  ctx: Context,
  source: ItemSource,
  itemIds: readonly string[],
): Promise<{ readonly total: number; readonly byItem: ReadonlyMap<string, number> }> {
  const rows = await ctx.sql.query<{ itemId: string | null; weight: number }>(
    `SELECT NULL AS item_id, weight FROM model.basket_totals
      WHERE ${inScope()} AND source = $3::model."ItemSource"
      UNION ALL
     SELECT item_id, weight FROM model.item_partners
      WHERE ${inScope()} AND source = $3::model."ItemSource" AND item_id = ANY($4::text[])`,
    [...scopeOf(ctx), source, textArray(itemIds)],
  );
  const total = rows.find(({ itemId }) => itemId === null)?.weight ?? 0;
  return { total, byItem: new Map(rows.flatMap(({ itemId, weight }) => (itemId ? [[itemId, weight]] : []))) };
}

export async function upsertPartners(
  tx: Context,
  source: ItemSource,
  items: readonly ItemPartners[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.item_partners
       (workspace_id, mode, source, item_id, weight, partner_ids, partner_weights)
     SELECT $1, $2::platform."Mode", $3::model."ItemSource", i.item_id, i.weight, i.partner_ids::text[],
            i.partner_weights::float8[]
       FROM unnest($4::text[], $5::float8[], $6::text[], $7::text[])
            AS i(item_id, weight, partner_ids, partner_weights)
     ON CONFLICT (workspace_id, mode, source, item_id) DO UPDATE
        SET weight = excluded.weight, partner_ids = excluded.partner_ids,
            partner_weights = excluded.partner_weights`,
    [
      ...scopeOf(tx),
      source,
      textArray(items.map(({ itemId }) => itemId)),
      plainArray(items.map(({ weight }) => weight)),
      textArray(items.map(({ partnerIds }) => textArray(partnerIds))),
      textArray(items.map(({ partnerWeights }) => plainArray(partnerWeights))),
    ],
  );
}

/** Adds to the total. The mark of corrections stays until all baskets are recounted. */
export async function addToTotal(
  tx: Context,
  source: ItemSource,
  weight: number,
  isCorrected = false,
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.basket_totals AS t (workspace_id, mode, source, weight, is_corrected)
     VALUES ($1, $2::platform."Mode", $3::model."ItemSource", $4, $5)
     ON CONFLICT (workspace_id, mode, source) DO UPDATE
        SET weight = t.weight + excluded.weight, is_corrected = t.is_corrected OR excluded.is_corrected`,
    [...scopeOf(tx), source, weight, isCorrected],
  );
}

/** Whether orders were corrected since all baskets were counted. */
export async function hasCorrections(ctx: Context): Promise<boolean> {
  const rows = await ctx.sql.query(
    `SELECT 1 FROM model.basket_totals WHERE ${inScope()} AND is_corrected`,
    scopeOf(ctx),
  );
  return rows.length > 0;
}

export async function deleteCounts(tx: Context): Promise<void> {
  for (const table of ['item_partners', 'basket_totals'])
    await tx.sql.query(`DELETE FROM model.${table} WHERE ${inScope()}`, scopeOf(tx));
}
