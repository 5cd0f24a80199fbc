/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** One line of CSV as in RFC 4180. A text that could be taken for a formula begins with an apostrophe. */
export const csvLine = (values: readonly (string | null)[]): string => `${values.map(cell).join(',')}\r\n`;

function cell(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
