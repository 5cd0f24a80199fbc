import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { ReceiptDoubt, ReceiptFacts, ReceiptItem } from '../receipt-reading/receipt-text.ts';

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
}

interface NewReceipt {
  readonly id: string;
  readonly memberId: string;
  readonly storeId: string | null;
  readonly currency: string | null;
  readonly note: string | null;
  readonly duplicateOfId: string | null;
}

const columns = `r.id, r.member_id AS "memberId", r.store_id AS "storeId", r.status,
  r.ocr_status AS "ocrStatus", r.note, r.currency, r.total_minor AS "totalMinor",
  r.purchased_on AS "purchasedOn", r.merchant, r.items, r.confidence, r.doubts,
  r.duplicate_of_id AS "duplicateOfId", r.points_awarded AS "pointsAwarded", r.reason,
  r.decided_at AS "decidedAt", r.created_at AS "createdAt"`;

export const receiptById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Receipt>(
    `SELECT ${columns} FROM commerce.receipts AS r WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

interface ReceiptFilter {
  readonly status: ReceiptStatus | null;
  readonly memberId: string | null;
  readonly storeId: string | null;
}

export async function receiptsPage(
  ctx: Context,
  request: PageRequest,
  { status, memberId, storeId }: ReceiptFilter,
): Promise<Page<Receipt>> {
  const where = `${inScope('r')} AND ($3::commerce."ReceiptStatus" IS NULL OR r.status = $3)
    AND ($4::uuid IS NULL OR r.member_id = $4) AND ($5::uuid IS NULL OR r.store_id = $5)`;
  const params = [...scopeOf(ctx), status, memberId, storeId];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<Receipt>(
    `SELECT ${columns} FROM commerce.receipts AS r WHERE ${where} AND ($6::uuid IS NULL OR r.id ${beyond} $6)
      ORDER BY r.id ${order} LIMIT $7 OFFSET $8`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM commerce.receipts AS r WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

/** A page of a member's receipts; those of many members are read together. */
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
    `SELECT r.member_id AS "memberId", count(*)::int AS total FROM commerce.receipts AS r
      WHERE ${inScope('r')} AND r.member_id = ANY($3::uuid[]) GROUP BY r.member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});

/** A receipt with an image that was submitted before is not read. */
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
 * it first, also if both do so at once.
 */
export async function claimFingerprint(tx: Context, fingerprint: string, receiptId: string): Promise<string> {
  const [row] = await tx.sql.query<{ receiptId: string }>(
    `INSERT INTO commerce.receipt_fingerprints AS f (workspace_id, mode, fingerprint, receipt_id)
     VALUES ($1, $2::platform."Mode", $3, $4)
     ON CONFLICT (workspace_id, mode, fingerprint) DO UPDATE SET receipt_id = f.receipt_id
     RETURNING receipt_id AS "receiptId"`,
    [...scopeOf(tx), fingerprint, receiptId],
  );
  return row!.receiptId;
}

/** A rejected receipt may be submitted again. */
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

/** Stores what was read, once; a decision that was made before stays. Null if it was read before. */
export async function saveReading(tx: Context, id: string, reading: Reading): Promise<Receipt | null> {
  const [row] = await tx.sql.query<Receipt>(
    `UPDATE commerce.receipts AS r
        SET ocr_status = $4::commerce."OcrStatus", confidence = $5, currency = coalesce(r.currency, $6),
            total_minor = $7, purchased_on = $8, merchant = $9, items = $10, doubts = $11, updated_at = $12,
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

/** Null when it is decided already. */
export async function saveDecision(tx: Context, id: string, decision: Decision): Promise<Receipt | null> {
  const [row] = await tx.sql.query<Receipt>(
    `UPDATE commerce.receipts AS r
        SET status = $4::commerce."ReceiptStatus", points_awarded = $5, reason = $6, decided_by = $7,
            decided_at = $8, updated_at = $8
      WHERE ${inScope('r')} AND r.id = $3 AND r.status IN ('SUBMITTED', 'IN_REVIEW', 'DUPLICATE')
     RETURNING ${columns}`,
    [...scopeOf(tx), id, decision.status, decision.points, decision.reason, tx.caller.actor, tx.clock.now()],
  );
  return row ?? null;
}

/**
 * Clears texts and items; days, totals and points stay for accounting. A picture that is being read now is
 * not waited for any more: what is read of it comes too late.
 */
export async function clearTexts(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE commerce.receipts AS r
        SET note = NULL, merchant = NULL, reason = NULL, items = '[]', doubts = '{}',
            updated_at = $4,
            ocr_status = CASE WHEN r.ocr_status = 'PENDING' THEN 'SKIPPED' ELSE r.ocr_status END
      WHERE ${inScope('r')} AND r.member_id = $3`,
    [...scopeOf(ctx), memberId, ctx.clock.now()],
  );
}
