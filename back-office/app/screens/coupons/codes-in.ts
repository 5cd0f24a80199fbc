/** Returns the codes of a text: one per line, trimmed. Empty lines are skipped. */
export const codesIn = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
