import { minorDigits } from '../../design/minor-digits.ts';
import { optionalNumber, type TypedNumber } from '../../fields/typed-values.ts';
import type { ReceiptLineFragment, ReceiptRowFragment } from './generated/receipts.ts';

/** One line of a receipt, with the values of its inputs. */
export interface ItemValues {
  /** Identifies the line while other lines are added and removed. */
  readonly key: string;
  readonly name: string;
  readonly quantity: TypedNumber;
  /** Amount of the whole line in major units. Negative for a discount. */
  readonly amountMinor: TypedNumber;
}

/** The correctable values of a receipt, as the inputs hold them. */
export interface ReceiptValues {
  readonly merchant: string;
  readonly purchasedOn: string;
  readonly currency: string;
  /** Total in major units. */
  readonly totalMinor: string;
  /** Id of the store. '' for none. */
  readonly storeId: string;
  /** Null until the lines are corrected. */
  readonly items: ItemValues[] | null;
}

/** The values of the form of a review. */
export interface ReviewValues extends ReceiptValues {
  /** Awarded points. '' for the points by the earning rules. */
  readonly points: TypedNumber;
  readonly acceptDuplicate: boolean;
}

type Read = Pick<ReceiptRowFragment, 'merchant' | 'purchasedOn' | 'currency' | 'totalMinor' | 'store'>;

/** One line of a receipt, as the mutation takes it. */
export interface ItemCorrection {
  readonly name: string;
  readonly quantity: number;
  readonly amountMinor: string;
}

/** The corrected values of a receipt. If a line is corrected, all lines are sent. Null removes a value. */
export interface ReceiptCorrections {
  merchant?: string | null;
  purchasedOn?: string | null;
  currency?: string | null;
  totalMinor?: string | null;
  storeId?: string | null;
  items?: ItemCorrection[];
}

/** Returns the read values as values of the form. */
export const valuesOf = ({ merchant, purchasedOn, currency, totalMinor, store }: Read): ReceiptValues => ({
  merchant: merchant ?? '',
  purchasedOn: purchasedOn ?? '',
  currency: currency ?? '',
  totalMinor: totalMinor == null ? '' : typedOf(String(totalMinor), currency),
  storeId: store?.id ?? '',
  items: null,
});

interface ReadLines {
  readonly currency?: string | null;
  readonly items: readonly ReceiptLineFragment[];
}

/** Returns the read lines as values of the form. */
export const linesOf = ({ items, currency }: ReadLines): ItemValues[] =>
  items.map(({ name, quantity, amountMinor }, place) => ({
    key: String(place),
    name,
    quantity,
    amountMinor: typedOf(String(amountMinor), currency),
  }));

/** Is the text a complete currency code? */
export const isCode = (currency: string | null | undefined): currency is string =>
  /^[A-Z]{3}$/.test(currency ?? '');

/** Decimal digits of an amount. Default without a currency: 2. */
export const digitsOf = (currency: string | null | undefined): number =>
  isCode(currency) ? minorDigits(currency) : 2;

/** Converts minor units into a typed amount: 1250 EUR is `12.50`. */
function typedOf(minor: string, currency: string | null | undefined): string {
  const digits = digitsOf(currency);
  const [, sign = '', whole = ''] = /^(-?)(\d+)$/.exec(minor) ?? [];
  const padded = whole.padStart(digits + 1, '0');
  return sign + (digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`);
}

/**
 * Converts a typed amount into minor units: `12,5` EUR is 1250. Additional decimal digits must be 0. Null if
 * it is no amount.
 */
export function minorOf(typed: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(typed.trim()) ?? [];
  if (whole === '' || /[^0]/.test(part.slice(digits))) return null;
  return String(BigInt(whole + part.slice(0, digits).padEnd(digits, '0')));
}

/** Like `minorOf`, but the amount may be negative. */
export function signedMinorOf(typed: TypedNumber, currency: string): string | null {
  const [, sign = '', amount = ''] = /^(-?)(.*)$/.exec(String(typed).trim()) ?? [];
  const minor = minorOf(amount, currency);
  return minor === null || minor === '0' ? minor : sign + minor;
}

/** Returns the lines as the mutation takes them. Null if none is corrected or one is incomplete. */
function itemsOf(items: ReceiptValues['items'], currency: string): ItemCorrection[] | null {
  const complete = (items ?? []).flatMap((item) => {
    const name = item.name.trim();
    const quantity = optionalNumber(item.quantity);
    const amountMinor = signedMinorOf(item.amountMinor, currency);
    return name && quantity !== null && amountMinor !== null ? [{ name, quantity, amountMinor }] : [];
  });
  return complete.length === items?.length ? complete : null;
}

/** Returns the sum of all lines in minor units. Null while one of them is incomplete. */
export function sumOf({ items, currency }: Pick<ReceiptValues, 'items' | 'currency'>): string | null {
  const complete = itemsOf(items, currency);
  return complete && String(complete.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n));
}

/** Returns the values that the form changes. Null if it changes nothing. */
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
  const items = itemsOf(values.items, values.currency);
  if (items) corrections.items = items;
  return Object.keys(corrections).length > 0 ? corrections : null;
}
