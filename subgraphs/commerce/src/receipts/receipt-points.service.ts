import type { Context } from '@loyalty/platform/context';
import { minorDigits } from '../receipt-reading/receipt-amounts.ts';
import type { Receipt } from './receipts.store.ts';

/** Tier multipliers have at most four decimals. */
const SCALE = 10_000;

/**
 * Points that a receipt earns: one per major unit of its total, times the multiplier of the member's tier,
 * rounded down.
 *
 * @returns null where no total in a known currency was read
 */
export async function receiptPoints(
  _ctx: Context,
  { totalMinor, currency }: Pick<Receipt, 'totalMinor' | 'currency'>,
  tierMultiplier: number,
): Promise<number | null> {
  if (totalMinor === null || currency === null) return null;
  const multiplier = BigInt(Math.round(tierMultiplier * SCALE));
  return Number((totalMinor * multiplier) / (BigInt(SCALE) * 10n ** BigInt(minorDigits(currency))));
}
