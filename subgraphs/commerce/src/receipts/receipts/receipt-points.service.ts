import type { Context } from '@loyalty/platform/context';
import { multiplied } from '../../earning-rules/earning-rules.evaluate.ts';
import { evaluateEarning } from '../../earning-rules/earning-rules.service.ts';
import type { Receipt } from './receipts.service.ts';

/**
 * Points that a receipt earns by the earning rules, times the multiplier of the member's tier. A receipt
 * does not name products of the catalog, so bonuses for products and categories do not apply.
 *
 * @returns null where no total in a known currency was read
 */
export async function receiptPoints(
  ctx: Context,
  receipt: Pick<Receipt, 'totalMinor' | 'currency' | 'purchasedOn'>,
  tierMultiplier: number,
): Promise<number | null> {
  const { totalMinor, currency, purchasedOn } = receipt;
  if (totalMinor === null || currency === null) return null;
  const occurredAt = purchasedOn ? new Date(`${purchasedOn}T12:00:00.000Z`) : ctx.clock.now();
  const earning = await evaluateEarning(ctx, {
    kind: 'RECEIPT',
    totalMinor,
    currency,
    occurredAt,
    items: [],
  });
  return multiplied(earning.points, tierMultiplier);
}
