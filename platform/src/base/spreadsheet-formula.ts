const FIRST_CHARACTER = /^[=+\-@\t\r]/;

/** Returns whether a spreadsheet would take the text of a CSV cell for a formula. */
export const looksLikeFormula = (text: string): boolean => FIRST_CHARACTER.test(text);
