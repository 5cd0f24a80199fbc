import type { Context } from '@loyalty/platform/context';
import { type TextReader, textReader } from './ocr.ts';
import { findImage } from './receipt-images.service.ts';
import { decide, pointsForAutoApproval } from './receipt-reviews.service.ts';
import { getReceiptSettings } from './receipt-settings.service.ts';
import { readReceiptText } from './receipt-text.ts';
import { findReceipt, keepReading, type Reading, type Receipt } from './receipts.service.ts';

/** Minimum confidence of usable text. */
const LEGIBLE_MIN = 30;

/**
 * Reads the picture of a receipt and stores the result. If the settings allow it, a receipt that was read
 * without doubts is approved immediately. Has no effect on a receipt that was read already.
 *
 * @throws Error if the engine does not start, AppError PEER_UNAVAILABLE (503); both can be retried
 */
export async function readReceipt(
  ctx: Context,
  receiptId: string,
  reader: TextReader = textReader,
): Promise<void> {
  const receipt = await findReceipt(ctx, receiptId);
  if (receipt?.ocrStatus !== 'PENDING') return;
  const image = await findImage(ctx, receiptId);
  const reading = await read(ctx, receipt, image, reader);
  const points = await pointsIfAutoApproved(ctx, receipt, reading);
  await ctx.transaction(async (tx) => {
    const waiting = await keepReading(tx, receiptId, reading);
    if (waiting && points !== null) await decide(tx, waiting, { status: 'APPROVED', points, reason: null });
  });
}

/** Marks a receipt as unreadable after the last retry. A reviewer then decides. */
export async function failReading(ctx: Context, receiptId: string): Promise<void> {
  await ctx.transaction((tx) => keepReading(tx, receiptId, unreadable()));
}

const unreadable = (): Reading => ({
  ...nothing,
  ocrStatus: 'FAILED',
  confidence: null,
  doubts: ['UNREADABLE'],
});

const nothing = {
  merchant: null,
  currency: null,
  totalMinor: null,
  purchasedOn: null,
  items: [],
} as const;

async function read(
  ctx: Context,
  { currency }: Receipt,
  image: string | null,
  reader: TextReader,
): Promise<Reading> {
  const seen = image === null ? null : await reader.read(Buffer.from(image, 'base64'));
  if (!seen || seen.confidence < LEGIBLE_MIN) return unreadable();
  const facts = readReceiptText(seen.text, { currency, now: ctx.clock.now() });
  return { ...facts, ocrStatus: 'SUCCEEDED', confidence: Math.round(seen.confidence) };
}

/** Returns the points of an automatic approval, or null if a reviewer has to decide. */
async function pointsIfAutoApproved(
  ctx: Context,
  receipt: Receipt,
  reading: Reading,
): Promise<number | null> {
  const { autoApprove, minConfidence } = await getReceiptSettings(ctx);
  const isSure = reading.doubts.length === 0 && (reading.confidence ?? 0) >= minConfidence;
  if (!autoApprove || !isSure) return null;
  const { totalMinor, currency, purchasedOn } = reading;
  return pointsForAutoApproval(ctx, { memberId: receipt.memberId, totalMinor, currency, purchasedOn });
}
