import { minorDigits } from '@loyalty/platform/base/currencies';
import { amountsIn } from './receipt-amounts.ts';
import { dateIn } from './receipt-dates.ts';
import { DUE, OTHER, PARTIAL, TOTAL } from './receipt-keywords.ts';

/** A detail that a reviewer should check before points are given. */
export type ReceiptDoubt =
  | 'UNREADABLE'
  | 'NO_TOTAL'
  | 'AMBIGUOUS_TOTAL'
  | 'NO_DATE'
  | 'AMBIGUOUS_DATE'
  | 'NO_CURRENCY';

export interface ReceiptItem {
  readonly name: string;
  readonly quantity: number;
  /** Total of the line, in minor units. */
  readonly amountMinor: number;
}

/** The facts that were read from the text of a receipt. */
export interface ReceiptFacts {
  readonly merchant: string | null;
  readonly currency: string | null;
  readonly totalMinor: bigint | null;
  /** YYYY-MM-DD. */
  readonly purchasedOn: string | null;
  readonly items: readonly ReceiptItem[];
  readonly doubts: readonly ReceiptDoubt[];
}

const ITEMS_MAX = 200;
/** Decimals of an amount if the currency is unknown. */
const DIGITS_ASSUMED = 2;
const symbols: readonly (readonly [RegExp, string])[] = [
  [/R\$/, 'BRL'],
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/¥/, 'JPY'],
  // A printed currency code.
  [/\b(EUR|USD|GBP|BRL|CHF|CAD|AUD|NZD|JPY|SEK|NOK|DKK|PLN|CZK|HUF|MXN|INR|ZAR)\b/, ''],
  [/\$/, 'USD'],
];

/**
 * Reads the text of a receipt from OCR, line by line. Ambiguous details are listed in `doubts`.
 *
 * @param known.currency - from the submission; overrides the printed currency
 * @param known.now - later days are not days of purchase
 */
export function readReceiptText(
  text: string,
  known: { readonly currency: string | null; readonly now: Date },
): ReceiptFacts {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
  const currency = known.currency ?? currencyIn(lines);
  const digits = currency ? minorDigits(currency) : DIGITS_ASSUMED;
  const total = totalIn(lines, digits);
  const date = dateIn(lines, currency, known.now);
  const items = itemsIn(lines.slice(0, total?.line ?? lines.length), digits);
  const doubts: (ReceiptDoubt | false)[] = [
    !total && 'NO_TOTAL',
    total?.isAmbiguous === true && 'AMBIGUOUS_TOTAL',
    !date && 'NO_DATE',
    date?.isAmbiguous === true && 'AMBIGUOUS_DATE',
    !currency && 'NO_CURRENCY',
  ];
  return {
    merchant: merchantIn(lines),
    currency,
    totalMinor: total?.minor ?? null,
    purchasedOn: date?.day ?? null,
    items,
    doubts: doubts.filter((doubt) => doubt !== false),
  };
}

function currencyIn(lines: readonly string[]): string | null {
  const text = lines.join('\n');
  for (const [pattern, code] of symbols) {
    const [found] = pattern.exec(text) ?? [];
    if (found) return code || found;
  }
  return null;
}

interface Total {
  readonly minor: bigint;
  /** Index of its line. */
  readonly line: number;
  readonly isAmbiguous: boolean;
}

/** Returns the amount due if the receipt names one, else its last total. */
function totalIn(lines: readonly string[], digits: number): Total | null {
  const labelled = lines.flatMap((line, place) => {
    if (!TOTAL.test(line) && !DUE.test(line)) return [];
    if (PARTIAL.test(line)) return [];
    const minor = amountAt(lines, place, digits);
    return minor !== null && minor > 0n ? [{ minor, line: place, isDue: DUE.test(line) }] : [];
  });
  const due = labelled.filter(({ isDue }) => isDue);
  const candidates = due.length > 0 ? due : labelled;
  const last = candidates.at(-1);
  if (!last) return null;
  const isAmbiguous = candidates.some(({ minor }) => minor !== last.minor);
  return { minor: last.minor, line: labelled[0]!.line, isAmbiguous };
}

/** The amount in the line of a label, or alone on the next line. */
function amountAt(lines: readonly string[], place: number, digits: number): bigint | null {
  const beside = exactIn(lines[place]!, digits);
  if (beside !== null) return beside;
  const below = lines[place + 1] ?? '';
  return /^\D{0,4}[\d.,' ]+\D{0,4}$/.test(below) ? exactIn(below, digits) : null;
}

/** Prefers amounts with cents, because whole numbers may be quantities. */
function exactIn(line: string, digits: number): bigint | null {
  const exact = amountsIn(line, digits).at(-1);
  return (
    (amountsIn(line, digits, true).findLast(({ end }) => !exact || end === exact.end) ?? exact)?.minor ?? null
  );
}

function itemsIn(lines: readonly string[], digits: number): ReceiptItem[] {
  return lines
    .flatMap((line) => {
      const amount = amountsIn(line, digits).at(-1);
      if (!amount || amount.minor > BigInt(Number.MAX_SAFE_INTEGER)) return [];
      const isItem =
        !PARTIAL.test(line) && !OTHER.test(line) && /\p{L}{2}/u.test(line.slice(0, amount.start));
      return isItem ? [itemOf(line.slice(0, amount.start), Number(amount.minor))] : [];
    })
    .slice(0, ITEMS_MAX);
}

const QUANTITY = /(?:^|\s)(\d{1,3})\s?[x×*]\s?(?:[€$£]?\s?\d+[.,]\d{2})?|[x×*]\s?(\d{1,3})(?=\s|$)/i;

function itemOf(label: string, amountMinor: number): ReceiptItem {
  const [, before, after] = QUANTITY.exec(label) ?? [];
  const name = label
    .replace(QUANTITY, ' ')
    .replace(/[€$£\s.:-]+$/, '')
    .trim();
  return {
    name: (name || label.trim()).slice(0, 120),
    quantity: Number(before ?? after ?? 1) || 1,
    amountMinor,
  };
}

/** Returns the first line of words, because tills print the shop's name at the top. */
function merchantIn(lines: readonly string[]): string | null {
  const line = lines.slice(0, 6).find((each) => /\p{L}{3}/u.test(each) && amountsIn(each, 2).length === 0);
  return line?.replace(/^[^\p{L}\d]+|[^\p{L}\d.!)]+$/gu, '').slice(0, 120) || null;
}
