import { minorDigits } from '../../design/minor-digits.ts';
import type { ReceiptRowFragment } from './generated/receipts.ts';

/** What the form of a review holds, as it is typed. */
export interface ReceiptValues {
  readonly merchant: string;
  readonly purchasedOn: string;
  readonly currency: string;
  /** In major units. */
  readonly totalMinor: string;
  /** '' for none. */
  readonly storeId: string;
}

type Read = Pick<ReceiptRowFragment, 'merchant' | 'purchasedOn' | 'currency' | 'totalMinor' | 'store'>;

/** Only what differs from the receipt; null says that there is none. */
export interface ReceiptCorrections {
  merchant?: string | null;
  purchasedOn?: string | null;
  currency?: string | null;
  totalMinor?: string | null;
  storeId?: string | null;
}

/** What was read, as the form shows it. */
export const valuesOf = ({ merchant, purchasedOn, currency, totalMinor, store }: Read): ReceiptValues => ({
  merchant: merchant ?? '',
  purchasedOn: purchasedOn ?? '',
  currency: currency ?? '',
  totalMinor: totalMinor == null ? '' : typedOf(String(totalMinor), currency),
  storeId: store?.id ?? '',
});

/** Decimals of a total without a known currency, as it is read. */
const digitsOf = (currency: string | null | undefined): number =>
  currency && /^[A-Z]{3}$/.test(currency) ? minorDigits(currency) : 2;

/** Minor units as somebody types the amount: 1250 EUR is `12.50`. */
function typedOf(minor: string, currency: string | null | undefined): string {
  const digits = digitsOf(currency);
  const padded = minor.padStart(digits + 1, '0');
  return digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/** A typed amount in minor units: `12,5` EUR is 1250. Null where it is no amount. */
export function minorOf(typed: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(typed.trim()) ?? [];
  if (whole === '' || part.length > digits) return null;
  return String(BigInt(whole + part.padEnd(digits, '0')));
}

/** What the form changes of a receipt; null where it changes nothing. */
export function correctionsOf(read: Read, values: ReceiptValues): ReceiptCorrections | null {
  const before = valuesOf(read);
  const corrections: ReceiptCorrections = {};
  const text = (name: 'merchant' | 'purchasedOn' | 'currency' | 'storeId') => {
    const typed = values[name].trim();
    if (typed !== before[name]) corrections[name] = typed || null;
  };
  for (const name of ['merchant', 'purchasedOn', 'currency', 'storeId'] as const) text(name);
  const total = values.totalMinor.trim() === '' ? null : minorOf(values.totalMinor, values.currency);
  if (total !== (read.totalMinor == null ? null : String(read.totalMinor))) corrections.totalMinor = total;
  return Object.keys(corrections).length > 0 ? corrections : null;
}
