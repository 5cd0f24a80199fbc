/** The codes of a text: one in each line, without spaces around it. Lines without one do not count. */
export const codesIn = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
