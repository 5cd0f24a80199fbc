/** An amount in the text of a line, in minor units. */
interface PrintedAmount {
  readonly minor: bigint;
  readonly start: number;
  readonly end: number;
}

const SIGNED = String.raw`(?<![\d.,:/-])(-\s?)?`;
const WHOLE = String.raw`(\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+|\d+)`;
const FRACTION = String.raw`(?:\s?([.,])\s?(\d{2,3}))?`;
const NUMBER = new RegExp(`${SIGNED}${WHOLE}${FRACTION}${String.raw`(\s?-)?(?![\d:/])`}`, 'g');
/**
 * Digit groups separated by a plain space may be two numbers. They are read as one only where one amount is
 * expected.
 */
const SPACED = /(?<=\d) (?=\d{3}(?:[.,]\d{2})?(?:\D|$))/g;

/**
 * Finds the amounts in one line of a receipt: `1.234,56`, `1,234.56`, `12.50-`. Percentages, dates and times
 * are not amounts. Plain whole numbers are not amounts if the currency has cents.
 *
 * @param digits - decimals of the currency, see `minorDigits`
 * @param isTotal - one amount is expected: whole numbers and groups separated by a space are amounts, too
 */
export function amountsIn(line: string, digits: number, isTotal = false): PrintedAmount[] {
  const text = isTotal ? line.replace(SPACED, '\u00a0') : line;
  const found: PrintedAmount[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const end = match.index + match[0].length;
    const isPercent = /^\s?%/.test(text.slice(end));
    const isCut = /^[.,]\d/.test(text.slice(end));
    const minor = isPercent || isCut ? null : minorOf(match, digits, isTotal);
    if (minor !== null) found.push({ minor, start: match.index, end });
  }
  return found;
}

function minorOf(match: RegExpMatchArray, digits: number, isTotal: boolean): bigint | null {
  const [, before, whole = '', mark, fraction, after] = match;
  const sign = before || after ? -1n : 1n;
  const groupMarks = new Set(whole.replace(/\d/g, ''));
  const units = whole.replace(/\D/g, '');
  if (units.length > 12 || groupMarks.size > 1) return null;
  // `1.234` may be thousands or thousandths; in a currency with three decimals it is thousandths.
  if (mark === undefined && digits === 3 && /^\d+[.,]\d{3}$/.test(whole)) return sign * BigInt(units);
  if (mark === undefined) return wholeMinor(units, groupMarks.size > 0, digits, isTotal, sign);
  if (groupMarks.has(mark))
    return digits === 0 && fraction!.length === 3 ? sign * BigInt(units + fraction) : null;
  if (fraction!.length === digits) return sign * BigInt(units + fraction);
  // Three digits after the only mark are a group of thousands, if the currency has fewer decimals.
  const isGroup = fraction!.length === 3 && groupMarks.size === 0 && units.length <= 3;
  return isGroup && (isTotal || digits === 0)
    ? sign * BigInt(units + fraction) * 10n ** BigInt(digits)
    : null;
}

const wholeMinor = (units: string, isGrouped: boolean, digits: number, isTotal: boolean, sign: bigint) =>
  digits === 0 || isTotal || isGrouped ? sign * BigInt(units) * 10n ** BigInt(digits) : null;
