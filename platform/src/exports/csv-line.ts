/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * One line of CSV as in RFC 4180. A text that could be taken for a formula begins with an apostrophe.
 *
 * @param areNumbers - by the place of the value; a number is no formula. Default: all are texts
 */
export const csvLine = (values: readonly (string | null)[], areNumbers: readonly boolean[] = []): string =>
  `${values.map((value, at) => cell(value, areNumbers[at] ?? false)).join(',')}\r\n`;

function cell(value: string | null, isNumber: boolean): string {
  if (value === null) return '';
  const text = !isNumber && FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
