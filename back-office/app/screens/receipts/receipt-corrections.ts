import { minorDigits } from '../../design/minor-digits.ts';
import { optionalNumber, type TypedNumber } from '../../fields/typed-values.ts';
import type { ReceiptLineFragment, ReceiptRowFragment } from './generated/receipts.ts';

/** One line of a receipt, as it is typed. */
export interface ItemValues {
  /** Stays with the line while others are added and removed. */
  readonly key: string;
  readonly name: string;
  readonly quantity: TypedNumber;
  /** Of the whole line, in major units; below 0 for a discount. */
  readonly amountMinor: TypedNumber;
}

/** What the form of a review corrects, as it is typed. */
export interface ReceiptValues {
  readonly merchant: string;
  readonly purchasedOn: string;
  readonly currency: string;
  /** In major units. */
  readonly totalMinor: string;
  /** '' for none. */
  readonly storeId: string;
  /** Null until somebody corrects them. */
  readonly items: ItemValues[] | null;
}

/** What the form of a review holds. */
export interface ReviewValues extends ReceiptValues {
  /** '' for those by the rules. */
  readonly points: TypedNumber;
  readonly acceptDuplicate: boolean;
}

type Read = Pick<ReceiptRowFragment, 'merchant' | 'purchasedOn' | 'currency' | 'totalMinor' | 'store'>;

/** One line of a receipt, as it is sent. */
export interface ItemCorrection {
  readonly name: string;
  readonly quantity: number;
  readonly amountMinor: string;
}

/** What differs from the receipt, and all lines once they are corrected; null says that there is none. */
export interface ReceiptCorrections {
  merchant?: string | null;
  purchasedOn?: string | null;
  currency?: string | null;
  totalMinor?: string | null;
  storeId?: string | null;
  items?: ItemCorrection[];
}

/** What was read, as the form shows it. */
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

/** The lines that were read, as the form shows them. */
export const linesOf = ({ items, currency }: ReadLines): ItemValues[] =>
  items.map(({ name, quantity, amountMinor }, place) => ({
    key: String(place),
    name,
    quantity,
    amountMinor: typedOf(String(amountMinor), currency),
  }));

/** May it be a currency, or is it still typed? */
export const isCode = (currency: string | null | undefined): currency is string =>
  /^[A-Z]{3}$/.test(currency ?? '');

/** Decimals of an amount; of one without a known currency, as it is read. */
export const digitsOf = (currency: string | null | undefined): number =>
  isCode(currency) ? minorDigits(currency) : 2;

/** Minor units as somebody types the amount: 1250 EUR is `12.50`. */
function typedOf(minor: string, currency: string | null | undefined): string {
  const digits = digitsOf(currency);
  const [, sign = '', whole = ''] = /^(-?)(\d+)$/.exec(minor) ?? [];
  const padded = whole.padStart(digits + 1, '0');
  return sign + (digits === 0 ? padded : `${padded.slice(0, -digits)}.${padded.slice(-digits)}`);
}

/** A typed amount in minor units: `12,5` EUR is 1250, and 0 may follow. Null where it is no amount. */
export function minorOf(typed: string, currency: string): string | null {
  const digits = digitsOf(currency);
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(typed.trim()) ?? [];
  if (whole === '' || /[^0]/.test(part.slice(digits))) return null;
  return String(BigInt(whole + part.slice(0, digits).padEnd(digits, '0')));
}

/** As `minorOf`, for an amount that may be below 0. */
export function signedMinorOf(typed: TypedNumber, currency: string): string | null {
  const [, sign = '', amount = ''] = /^(-?)(.*)$/.exec(String(typed).trim()) ?? [];
  const minor = minorOf(amount, currency);
  return minor === null || minor === '0' ? minor : sign + minor;
}

/** The lines of a form as they are sent; null where none is corrected, and while one is not complete. */
function itemsOf(items: ReceiptValues['items'], currency: string): ItemCorrection[] | null {
  const complete = (items ?? []).flatMap((item) => {
    const name = item.name.trim();
    const quantity = optionalNumber(item.quantity);
    const amountMinor = signedMinorOf(item.amountMinor, currency);
    return name && quantity !== null && amountMinor !== null ? [{ name, quantity, amountMinor }] : [];
  });
  return complete.length === items?.length ? complete : null;
}

/** What all lines of a form cost together; null while one of them is not complete. */
export function sumOf({ items, currency }: Pick<ReceiptValues, 'items' | 'currency'>): string | null {
  const complete = itemsOf(items, currency);
  return complete && String(complete.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n));
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
  const items = itemsOf(values.items, values.currency);
  if (items) corrections.items = items;
  return Object.keys(corrections).length > 0 ? corrections : null;
}
