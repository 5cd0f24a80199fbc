import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { bigintAsText } from '../money.ts';
import type { ReceiptDoubt, ReceiptFacts, ReceiptItem } from './receipt-text.ts';

export type ReceiptStatus = 'SUBMITTED' | 'IN_REVIEW' | 'APPROVED' | 'REJECTED' | 'DUPLICATE';
type OcrStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED';

export interface Receipt {
  readonly id: string;
  readonly memberId: string;
  readonly storeId: string | null;
  readonly status: ReceiptStatus;
  readonly ocrStatus: OcrStatus;
  readonly note: string | null;
  readonly currency: string | null;
  readonly totalMinor: bigint | null;
  /** YYYY-MM-DD. */
  readonly purchasedOn: string | null;
  readonly merchant: string | null;
  readonly items: readonly ReceiptItem[];
  readonly confidence: number | null;
  readonly doubts: readonly ReceiptDoubt[];
  readonly duplicateOfId: string | null;
  readonly pointsAwarded: number | null;
  readonly reason: string | null;
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
  /** The values before a reviewer's corrections; null if nothing was corrected. */
  readonly reading: StoredReading | null;
}

/** The facts of the purchase. */
export type PurchaseFacts = Pick<
  Receipt,
  'merchant' | 'currency' | 'totalMinor' | 'purchasedOn' | 'storeId' | 'items'
>;

/** The stored JSON, in which the total is text. */
export interface StoredReading extends Omit<PurchaseFacts, 'totalMinor'> {
  readonly totalMinor: string | null;
}

interface NewReceipt {
  readonly id: string;
  readonly memberId: string;
  readonly storeId: string | null;
  readonly currency: string | null;
  readonly note: string | null;
  readonly duplicateOfId: string | null;
}

const columns = `r.id, r.member_id, r.store_id, r.status, r.ocr_status, r.note, r.currency, r.total_minor,
  r.purchased_on, r.merchant, r.items, r.confidence, r.doubts, r.duplicate_of_id, r.points_awarded,
  r.reason, r.decided_at, r.created_at, r.reading`;

export const receiptById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Receipt>(
    `SELECT ${columns} FROM commerce.receipts AS r WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export type ReceiptSort = 'CREATED_DESC' | 'CREATED_ASC';

interface ReceiptFilter {
  /** Distinct; null matches every status. */
  readonly statuses: readonly ReceiptStatus[] | null;
  readonly memberId: string | null;
  readonly storeId: string | null;
}

/**
 * A page of receipts. Receipts of each status are read in order and merged, so that a page is found without
 * reading all receipts.
 */
export async function receiptsPage(
  ctx: Context,
  request: PageRequest,
  { statuses, memberId, storeId }: ReceiptFilter,
  sort: ReceiptSort,
): Promise<Page<Receipt>> {
  const params: unknown[] = [...scopeOf(ctx)];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const wanted = statuses && `unnest(${bind(statuses)}::commerce."ReceiptStatus"[]) AS wanted(status)`;
  const where = [
    inScope('r'),
    ...(memberId ? [`r.member_id = ${bind(memberId)}`] : []),
    ...(storeId ? [`r.store_id = ${bind(storeId)}`] : []),
  ].join(' AND ');
  const counted = [...params];
  const { order, beyond } = scan(request, sort === 'CREATED_ASC' ? 'ASC' : 'DESC');
  const behindCursor = request.cursorId ? ` AND r.id ${beyond} ${bind(request.cursorId)}` : '';
  const select = `SELECT ${columns} FROM commerce.receipts AS r WHERE ${where}${behindCursor}`;
  const lastRow = bind(request.offset + request.size + 1);
  const found = wanted
    ? `SELECT merged.* FROM ${wanted} CROSS JOIN LATERAL (
         ${select} AND r.status = wanted.status ORDER BY r.id ${order} LIMIT ${lastRow}) AS merged`
    : `${select} ORDER BY r.id ${order} LIMIT ${lastRow}`;
  const rows = await ctx.sql.query<Receipt>(
    `SELECT found.* FROM (${found}) AS found
      ORDER BY found.id ${order} LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, async () => {
    const inStatus = wanted ? ` AND r.status IN (SELECT wanted.status FROM ${wanted})` : '';
    const sql = `SELECT count(*)::int AS total FROM commerce.receipts AS r WHERE ${where}${inStatus}`;
    const [total] = await ctx.sql.query<{ total: number }>(sql, counted);
    return total?.total ?? 0;
  });
}

/** A page of a member's receipts. Batched by member. */
export const memberReceipts = pageLoader<string, Receipt>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<Receipt>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::uuid[]')}
         WITH ORDINALITY AS w(member_id, rows, skip, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM commerce.receipts AS r
         WHERE ${inScope('r')} AND r.member_id = w.member_id
           AND (w.cursor_id IS NULL OR r.id ${beyond} w.cursor_id)
         ORDER BY r.id ${order} LIMIT w.rows OFFSET w.skip
      ) AS found
      ORDER BY w.place, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds],
  );
});

export const receiptCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT r.member_id, count(*)::int AS total FROM commerce.receipts AS r
      WHERE ${inScope('r')} AND r.member_id = ANY($3::uuid[]) GROUP BY r.member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});

/** Inserts a receipt. If it has the image of an earlier receipt, it is not read. */
export async function insertReceipt(ctx: Context, receipt: NewReceipt): Promise<Receipt> {
  const [status, ocrStatus] = receipt.duplicateOfId ? ['DUPLICATE', 'SKIPPED'] : ['SUBMITTED', 'PENDING'];
  const [row] = await ctx.sql.query<Receipt>(
    `INSERT INTO commerce.receipts AS r (workspace_id, mode, id, member_id, store_id, currency, note,
       duplicate_of_id, status, ocr_status, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7, $8, $9::commerce."ReceiptStatus",
       $10::commerce."OcrStatus", $11, $11)
     RETURNING ${columns}`,
    [
      ...scopeOf(ctx),
      receipt.id,
      receipt.memberId,
      receipt.storeId,
      receipt.currency,
      receipt.note,
      receipt.duplicateOfId,
      status,
      ocrStatus,
      ctx.clock.now(),
    ],
  );
  return row!;
}

/**
 * Claims a fingerprint for a receipt and returns the id of its owner: this receipt, or the one that claimed
 * it first. Concurrent claims are safe.
 */
export async function claimFingerprint(tx: Context, fingerprint: string, receiptId: string): Promise<string> {
  const [row] = await tx.sql.query<{ receiptId: string }>(
    `INSERT INTO commerce.receipt_fingerprints AS f (workspace_id, mode, fingerprint, receipt_id)
     VALUES ($1, $2::platform."Mode", $3, $4)
     ON CONFLICT (workspace_id, mode, fingerprint) DO UPDATE SET receipt_id = f.receipt_id
     RETURNING receipt_id`,
    [...scopeOf(tx), fingerprint, receiptId],
  );
  return row!.receiptId;
}

/** Returns the receipt that claimed a fingerprint, or null. */
export async function findClaimant(ctx: Context, fingerprint: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ receiptId: string }>(
    `SELECT r.receipt_id FROM commerce.receipt_fingerprints AS r
      WHERE ${inScope('r')} AND r.fingerprint = $3`,
    [...scopeOf(ctx), fingerprint],
  );
  return row?.receiptId ?? null;
}

/** Releases the purchases that a receipt claimed, except the kept one. */
export async function releasePurchases(tx: Context, receiptId: string, kept: string | null): Promise<void> {
  await tx.sql.query(
    `DELETE FROM commerce.receipt_fingerprints AS r
      WHERE ${inScope('r')} AND r.receipt_id = $3 AND r.fingerprint LIKE 'purchase:%'
        AND r.fingerprint IS DISTINCT FROM $4`,
    [...scopeOf(tx), receiptId, kept],
  );
}

/** Releases all fingerprints of a rejected receipt, so that it can be submitted again. */
export async function releaseFingerprints(tx: Context, receiptId: string): Promise<void> {
  await tx.sql.query(
    `DELETE FROM commerce.receipt_fingerprints AS r WHERE ${inScope('r')} AND r.receipt_id = $3`,
    [...scopeOf(tx), receiptId],
  );
}

export interface Reading extends ReceiptFacts {
  readonly ocrStatus: OcrStatus;
  readonly confidence: number | null;
}

/**
 * Stores the reading of a receipt. Returns null if it was read before. An earlier decision and its
 * corrections stay: then the values are stored in `reading` only.
 */
export async function saveReading(tx: Context, id: string, reading: Reading): Promise<Receipt | null> {
  const [row] = await tx.sql.query<Receipt>(
    `UPDATE commerce.receipts AS r
        SET ocr_status = $4::commerce."OcrStatus", confidence = $5, doubts = $11, updated_at = $12,
            currency = CASE WHEN r.reading IS NULL THEN coalesce(r.currency, $6) ELSE r.currency END,
            total_minor = CASE WHEN r.reading IS NULL THEN $7 ELSE r.total_minor END,
            purchased_on = CASE WHEN r.reading IS NULL THEN $8 ELSE r.purchased_on END,
            merchant = CASE WHEN r.reading IS NULL THEN $9 ELSE r.merchant END,
            items = CASE WHEN r.reading IS NULL THEN $10 ELSE r.items END,
            reading = r.reading || jsonb_build_object('currency', coalesce(r.reading->>'currency', $6),
              'totalMinor', $7::bigint::text, 'purchasedOn', $8::date, 'merchant', $9::text,
              'items', $10::jsonb),
            status = CASE WHEN r.status = 'SUBMITTED' THEN 'IN_REVIEW' ELSE r.status END
      WHERE ${inScope('r')} AND r.id = $3 AND r.ocr_status = 'PENDING'
     RETURNING ${columns}`,
    [
      ...scopeOf(tx),
      id,
      reading.ocrStatus,
      reading.confidence,
      reading.currency,
      reading.totalMinor,
      reading.purchasedOn,
      reading.merchant,
      JSON.stringify(reading.items),
      reading.doubts,
      tx.clock.now(),
    ],
  );
  return row ?? null;
}

export async function markDuplicate(tx: Context, id: string, duplicateOfId: string): Promise<void> {
  await tx.sql.query(
    `UPDATE commerce.receipts AS r SET status = 'DUPLICATE', duplicate_of_id = $4, updated_at = $5
      WHERE ${inScope('r')} AND r.id = $3 AND r.status = 'IN_REVIEW'`,
    [...scopeOf(tx), id, duplicateOfId, tx.clock.now()],
  );
}

export interface Decision {
  readonly status: 'APPROVED' | 'REJECTED';
  /** Null when rejected. */
  readonly points: number | null;
  readonly reason: string | null;
}

/** Stores a decision and its corrections. Returns null if the receipt is decided already. */
export async function saveDecision(
  tx: Context,
  id: string,
  decision: Decision,
  corrections: Partial<PurchaseFacts>,
): Promise<Receipt | null> {
  const [row] = await tx.sql.query<Receipt>(
    `UPDATE commerce.receipts AS r
        SET status = $4::commerce."ReceiptStatus", points_awarded = $5, reason = $6, decided_by = $7,
            decided_at = $8, updated_at = $8,
            merchant = ${corrected('r.merchant', 'merchant', 'text')},
            currency = ${corrected('r.currency', 'currency', 'text')},
            total_minor = ${corrected('r.total_minor', 'totalMinor', 'bigint')},
            purchased_on = ${corrected('r.purchased_on', 'purchasedOn', 'date')},
            store_id = ${corrected('r.store_id', 'storeId', 'uuid')},
            items = ${corrected('r.items', 'items', 'jsonb')},
            reading = CASE WHEN $9::jsonb = '{}' THEN NULL ELSE jsonb_build_object('merchant', r.merchant,
              'currency', r.currency, 'totalMinor', r.total_minor::text, 'purchasedOn', r.purchased_on,
              'storeId', r.store_id, 'items', r.items) END
      WHERE ${inScope('r')} AND r.id = $3 AND r.status IN ('SUBMITTED', 'IN_REVIEW', 'DUPLICATE')
     RETURNING ${columns}`,
    [
      ...scopeOf(tx),
      id,
      decision.status,
      decision.points,
      decision.reason,
      tx.caller.actor,
      tx.clock.now(),
      JSON.stringify(corrections, bigintAsText),
    ],
  );
  return row ?? null;
}

/** SQL of a column's new value: the correction if there is one, else the stored value. */
const corrected = (column: string, name: keyof PurchaseFacts, type: string): string =>
  `CASE WHEN $9::jsonb ? '${name}' THEN ($9::jsonb->>'${name}')::${type} ELSE ${column} END`;

/** Stores the earlier receipt with the same purchase after a correction. */
export async function setDuplicateOf(
  tx: Context,
  id: string,
  duplicateOfId: string | null,
): Promise<Receipt> {
  const [row] = await tx.sql.query<Receipt>(
    `UPDATE commerce.receipts AS r SET duplicate_of_id = $4 WHERE ${inScope('r')} AND r.id = $3
     RETURNING ${columns}`,
    [...scopeOf(tx), id, duplicateOfId],
  );
  return row!;
}

/**
 * Clears texts and items. Days, totals and points stay for accounting. The reading of a picture that is in
 * progress will be discarded.
 */
export async function clearTexts(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE commerce.receipts AS r
        SET note = NULL, merchant = NULL, reason = NULL, items = '[]', doubts = '{}',
            reading = CASE WHEN r.reading IS NOT NULL THEN jsonb_build_object('merchant', NULL,
              'currency', r.reading->'currency', 'totalMinor', r.reading->'totalMinor',
              'purchasedOn', r.reading->'purchasedOn', 'storeId', r.reading->'storeId',
              'items', '[]'::jsonb) END,
            updated_at = $4,
            ocr_status = CASE WHEN r.ocr_status = 'PENDING' THEN 'SKIPPED' ELSE r.ocr_status END
      WHERE ${inScope('r')} AND r.member_id = $3`,
    [...scopeOf(ctx), memberId, ctx.clock.now()],
  );
}
