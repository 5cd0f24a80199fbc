/** Cells as COPY reads them in its text format. */

export const ABSENT = '\\N';

const SPECIAL: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const NEEDS_ESCAPE = /[\\\t\n\r]/;

/** Any text as a cell. */
export const escaped = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => SPECIAL[character]!) : text;
