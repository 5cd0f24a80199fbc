import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { isCurrency, minorDigits } from '@loyalty/platform/base/currencies';
import type { Context } from '@loyalty/platform/context';
import { type Cells, readDate, readText, refuse, requireText } from '@loyalty/platform/imports/import-cells';

const ID_LENGTH_MAX = 200;
const LINE_ENDS = /[\t\r\n]/;

/** An id of the workspace's own systems: 1 to 200 characters, none of them a control character. */
export function readId(cells: Cells, field: number): string {
  const text = requireText(cells, field, ID_LENGTH_MAX);
  if (LINE_ENDS.test(text)) refuse(cells, field, 'must not contain control characters');
  return text;
}

/** As `readId`; null where the cell is empty. */
export function readOptionalId(cells: Cells, field: number): string | null {
  const text = readText(cells, field, ID_LENGTH_MAX);
  if (text !== null && LINE_ENDS.test(text)) refuse(cells, field, 'must not contain control characters');
  return text;
}

/** The range in which facts may have happened. */
export interface TimeBounds {
  readonly earliest: number;
  readonly latest: number;
}

/** Clocks of other systems may be ahead of ours, though by less than a day. */
export const timeBounds = (ctx: Context): TimeBounds => ({
  earliest: 0,
  latest: addMs(ctx.clock.now(), DAY_MS).getTime(),
});

const NO_TIME = new Date(0);

/** When a row's fact happened; 1970 where the cell has no valid time, which is noted. */
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

/** A decimal number; null where the cell is empty. */
export function readNumber(cells: Cells, field: number): number | null {
  const text = readText(cells, field, 40);
  if (text === null) return null;
  if (DECIMAL.test(text)) return Number(text);
  refuse(cells, field, 'must be a decimal number such as 1.5');
  return null;
}

const QUANTITY_MAX = 1_000_000_000;

/** A quantity above 0. */
export function readQuantity(cells: Cells, field: number): number {
  const text = requireText(cells, field, 40);
  const quantity = DECIMAL.test(text) ? Number(text) : 0;
  if (text !== '' && !(quantity > 0 && quantity <= QUANTITY_MAX))
    refuse(cells, field, `must be a number above 0 and at most ${QUANTITY_MAX}`);
  return quantity;
}

/** A currency code in any case; empty where it is not valid, which is noted. */
export function readCurrency(cells: Cells, field: number): string {
  const code = requireText(cells, field, 10).toUpperCase();
  if (code === '' || isCurrency(code)) return code;
  refuse(cells, field, 'must be an ISO 4217 code such as EUR');
  return '';
}

/** As `readCurrency`; null where the cell is empty. */
export const readOptionalCurrency = (cells: Cells, field: number): string | null =>
  readText(cells, field, 10) === null ? null : readCurrency(cells, field);

const MONEY = /^(\d{1,13})(?:\.(\d{1,6}))?$/;

/** A text that may be an amount in major units, whatever its currency; null where the cell is empty. */
export function readMoneyText(cells: Cells, field: number): string | null {
  const text = readText(cells, field, 40);
  if (text === null || MONEY.test(text)) return text;
  const rule = text.startsWith('-') ? 'must not be negative' : 'must be a decimal number such as 29.33';
  refuse(cells, field, rule);
  return null;
}

/**
 * Minor units of an amount in major ones, exactly; null where it has more decimals than the currency.
 *
 * @param text - what `readMoneyText` let pass
 */
export function minorOf(text: string, currency: string): bigint | null {
  const digits = minorDigits(currency);
  const [, whole, decimals = ''] = MONEY.exec(text)!;
  return decimals.length > digits ? null : BigInt(whole! + decimals.padEnd(digits, '0'));
}

/** The rule that an amount with too many decimals breaks. */
export const decimalsRule = (currency: string): string => {
  const digits = minorDigits(currency);
  return digits === 0 ? `must have no decimals in ${currency}` : `must have at most ${digits} decimals`;
};

/** An amount in major units of a currency, as minor units; 0 where it is not valid, which is noted. */
export function readAmount(cells: Cells, field: number, currency: string): bigint {
  const before = cells.issues?.length ?? 0;
  const text = readMoneyText(cells, field);
  if (text === null && (cells.issues?.length ?? 0) === before)
    refuse(cells, field, 'is required', 'REQUIRED');
  // Without a currency the number of decimals is unknown, and the row is refused already.
  if (text === null || currency === '') return 0n;
  const minor = minorOf(text, currency);
  if (minor === null) refuse(cells, field, decimalsRule(currency));
  return minor ?? 0n;
}

/** Values by the words of files; keys are in lower case with _ for spaces and dashes. */
type Vocabulary<Word extends string> = ReadonlyMap<string, Word>;

export const vocabulary = <Word extends string>(
  words: Readonly<Record<Word, readonly string[]>>,
): Vocabulary<Word> =>
  new Map(
    (Object.entries(words) as [Word, readonly string[]][]).flatMap(([word, also]) =>
      [word.toLowerCase(), ...also].map((each): [string, Word] => [each, word]),
    ),
  );

/** The value of a cell's word; null where the cell is empty or the word is unknown, which is noted. */
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

/** A word of the workspace's own, in lower case. */
export function readKeyword(cells: Cells, field: number): string {
  const text = requireText(cells, field, 100).toLowerCase();
  if (text !== '' && !KEYWORD.test(text))
    refuse(cells, field, 'must be 1 to 64 letters, digits, dots, dashes or underscores');
  return text;
}
