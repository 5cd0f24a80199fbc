import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { isCurrency, minorDigits } from '@loyalty/platform/base/currencies';
import type { Context } from '@loyalty/platform/context';
import { type Cells, readDate, readText, refuse, requireText } from '@loyalty/platform/imports/import-cells';

const ID_LENGTH_MAX = 200;
const LINE_ENDS = /[\t\r\n]/;

/** Reads an id of the customer's own systems: 1 to 200 characters without control characters. */
export function readId(cells: Cells, field: number): string {
  const text = requireText(cells, field, ID_LENGTH_MAX);
  if (LINE_ENDS.test(text)) refuse(cells, field, 'must not contain control characters');
  return text;
}

/** Like `readId`; null if the cell is empty. */
export function readOptionalId(cells: Cells, field: number): string | null {
  const text = readText(cells, field, ID_LENGTH_MAX);
  if (text !== null && LINE_ENDS.test(text)) refuse(cells, field, 'must not contain control characters');
  return text;
}

/** The permitted range of a fact's time. */
export interface TimeBounds {
  readonly earliest: number;
  readonly latest: number;
}

/** Clocks of other systems may be ahead of ours, by less than a day. */
export const timeBounds = (ctx: Context): TimeBounds => ({
  earliest: 0,
  latest: addMs(ctx.clock.now(), DAY_MS).getTime(),
});

const NO_TIME = new Date(0);

/** Reads the time of a row's fact; 1970 if the cell has no valid time, which is recorded as an issue. */
export function readTime(cells: Cells, field: number, { earliest, latest }: TimeBounds): Date {
  const before = cells.issues?.length ?? 0;
  const at = readDate(cells, field);
  if (!at) {
    if ((cells.issues?.length ?? 0) === before) refuse(cells, field, 'is required', 'REQUIRED');
    return NO_TIME;
  }
  const time = at.getTime();
  if (time > latest) refuse(cells, field, 'must not be in the future');
  else if (time < earliest) refuse(cells, field, 'must not be before 1970');
  return at;
}

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Reads a decimal number; null if the cell is empty. */
export function readNumber(cells: Cells, field: number): number | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  if (DECIMAL.test(text)) return Number(text);
  refuse(cells, field, 'must be a decimal number such as 1.5');
  return null;
}

const QUANTITY_MAX = 1_000_000_000;

/** Reads a quantity above 0. */
export function readQuantity(cells: Cells, field: number): number {
  const text = requireText(cells, field, 40);
  const quantity = DECIMAL.test(text) ? Number(text) : 0;
  if (text !== '' && !(quantity > 0 && quantity <= QUANTITY_MAX))
    refuse(cells, field, `must be a number above 0 and at most ${QUANTITY_MAX}`);
  return quantity;
}

/** Reads a currency code in any case; empty if it is not valid, which is recorded as an issue. */
export function readCurrency(cells: Cells, field: number): string {
  const code = requireText(cells, field, 10).toUpperCase();
  if (code === '' || isCurrency(code)) return code;
  refuse(cells, field, 'must be an ISO 4217 code such as EUR');
  return '';
}

/** Like `readCurrency`; null if the cell is empty. */
export const readOptionalCurrency = (cells: Cells, field: number): string | null =>
  readText(cells, field, 10) === null ? null : readCurrency(cells, field);

const MONEY = /^(\d{1,13})(?:\.(\d{1,6}))?$/;

/** Reads a text that may be an amount in major units of any currency; null if the cell is empty. */
export function readMoneyText(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 40);
  if (text === null || MONEY.test(text)) return text;
  const rule = text.startsWith('-') ? 'must not be negative' : 'must be a decimal number such as 29.33';
  refuse(cells, field, rule);
  return null;
}

/**
 * Converts an amount in major units to minor units, exactly; null if it has more decimals than the currency.
 *
 * @param text - as `readMoneyText` returned it
 */
export function minorOf(text: string, currency: string): bigint | null {
  const digits = minorDigits(currency);
  const [, whole, decimals = ''] = MONEY.exec(text)!;
  return decimals.length > digits ? null : BigInt(whole! + decimals.padEnd(digits, '0'));
}

/** Returns the rule that an amount with too many decimals breaks. */
export const decimalsRule = (currency: string): string => {
  const digits = minorDigits(currency);
  return digits === 0 ? `must have no decimals in ${currency}` : `must have at most ${digits} decimals`;
};

/**
 * Reads an amount in major units of a currency as minor units; 0 if it is not valid, which is recorded as an
 * issue.
 */
export function readAmount(cells: Cells, field: number, currency: string): bigint {
  const before = cells.issues?.length ?? 0;
  const text = readMoneyText(cells, field);
  if (text === null && (cells.issues?.length ?? 0) === before)
    refuse(cells, field, 'is required', 'REQUIRED');
  // Without a currency the number of decimals is unknown; the row is refused already.
  if (text === null || currency === '') return 0n;
  const minor = minorOf(text, currency);
  if (minor === null) refuse(cells, field, decimalsRule(currency));
  return minor ?? 0n;
}

/** Values by the words that files use; keys are in lower case with _ for spaces and dashes. */
type Vocabulary<Word extends string> = ReadonlyMap<string, Word>;

export const vocabulary = <Word extends string>(
  words: Readonly<Record<Word, readonly string[]>>,
): Vocabulary<Word> =>
  new Map(
    (Object.entries(words) as [Word, readonly string[]][]).flatMap(([word, also]) =>
      [word.toLowerCase(), ...also].map((each): [string, Word] => [each, word]),
    ),
  );

/**
 * Reads the value of a cell's word; null if the cell is empty or the word is unknown, which is recorded as an
 * issue.
 */
export function readWord<Word extends string>(
  cells: Cells,
  field: number,
  words: Vocabulary<Word>,
): Word | null {
  const text = readText(cells, field, 100);
  if (text === null) return null;
  const word = words.get(text.toLowerCase().replace(/[ -]/g, '_'));
  if (word) return word;
  const known = [...new Set(words.values())].map((each) => each.toLowerCase()).join(', ');
  refuse(cells, field, `must be one of ${known}`);
  return null;
}

const KEYWORD = /^[a-z0-9_.-]{1,64}$/;

/** Reads a word that the workspace defines, in lower case. */
export function readKeyword(cells: Cells, field: number): string {
  const text = requireText(cells, field, 100).toLowerCase();
  if (text !== '' && !KEYWORD.test(text))
    refuse(cells, field, 'must be 1 to 64 letters, digits, dots, dashes or underscores');
  return text;
}
