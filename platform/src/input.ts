import { invalid } from './errors.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Does the text hold what no text needs? Tabs and line ends are no control characters here. */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text);

/**
 * Text as it may be stored: trimmed, not empty, of bounded length, without control characters.
 *
 * @param lengthMax - characters
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkText(field: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed.length === 0) throw invalid(field, 'must not be empty');
  if (trimmed.length > lengthMax) throw invalid(field, `must have at most ${lengthMax} characters`);
  if (hasControlCharacters(trimmed)) throw invalid(field, 'must not contain control characters');
  return trimmed;
}

/** What a client may say about the fields of T; absent and null leave a field as it is. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Only the fields that were given, without absent and null ones. */
export function given<I extends object>(input: I): { [K in keyof I]?: NonNullable<I[K]> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof I]?: NonNullable<I[K]> };
}
