import { minorDigits } from '../../design/minor-digits.ts';
import type { OrderPriceFragment } from './generated/orders.ts';

/** Converts a typed amount into minor units: `12,5` EUR is 1250. Null unless it is a positive amount. */
export function minorOf(typed: string, currency: string): string | null {
  const digits = minorDigits(currency);
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(typed.trim()) ?? [];
  if (whole === '' || part.length > digits) return null;
  const minor = BigInt(whole + part.padEnd(digits, '0'));
  return minor > 0n ? String(minor) : null;
}

interface Refunded {
  readonly total: OrderPriceFragment;
  readonly refundedTotal: OrderPriceFragment;
}

/** Returns the amount of an order that can still be refunded. */
export const refundableOf = ({ total, refundedTotal }: Refunded): OrderPriceFragment => ({
  amountMinor: String(BigInt(total.amountMinor) - BigInt(refundedTotal.amountMinor)),
  currency: total.currency,
});
