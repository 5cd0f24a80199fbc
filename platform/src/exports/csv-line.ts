import { looksLikeFormula } from '../base/spreadsheet-formula.ts';

/**
 * Returns one line of CSV by RFC 4180. A text that looks like a formula is prefixed with an apostrophe.
 *
 * @param areNumbers - by the position of the value; a number is never prefixed. Default: all values are text
 */
export const csvLine = (values: readonly (string | null)[], areNumbers: readonly boolean[] = []): string =>
  `${values.map((value, at) => cell(value, areNumbers[at] ?? false)).join(',')}\r\n`;

function cell(value: string | null, isNumber: boolean): string {
  if (value === null) return '';
  const text = !isNumber && looksLikeFormula(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
