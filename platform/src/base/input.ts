import { invalid } from './errors.ts';
import { lengthAtMost, noControlCharacters, notEmpty } from './input-rules.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Returns whether the text contains control characters; tabs and line ends are allowed. */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text);

/**
 * Returns text that may be stored: trimmed, not empty, of limited length, without control characters.
 *
 * @param lengthMax - characters
 * @throws AppError VALIDATION_FAILED naming the field
 */
export function checkText(field: string, text: string, lengthMax: number): string {
  const trimmed = text.trim();
  if (trimmed.length === 0) throw invalid(field, notEmpty);
  if (trimmed.length > lengthMax) throw invalid(field, lengthAtMost(lengthMax));
  if (hasControlCharacters(trimmed)) throw invalid(field, noControlCharacters);
  return trimmed;
}

/** Maximum nesting of one value; deeper values could overflow the stack of recursive code. */
const DEPTH_MAX = 32;

/** The path of a part of a value that cannot be stored, for example `.rows[3].name`, and the broken rule. */
interface Unstorable {
  readonly path: string;
  readonly rule: string;
}

/**
 * Refuses values that cannot be stored, at any depth: U+0000 (PostgreSQL does not store it), halves of
 * surrogate pairs (no encoding has them), and too deep nesting.
 *
 * @param path - path of the value; the error message begins with it
 * @throws AppError VALIDATION_FAILED naming the path, for example `rows[3].name`
 */
export function checkStorable(path: string, value: unknown): void {
  const found = unstorable(value);
  if (found) throw invalid(path + found.path, found.rule);
}

/** Returns the first part that cannot be stored; null if all of the value can be stored. */
export function unstorable(value: unknown, depth = 0): Unstorable | null {
  if (typeof value === 'string') {
    const rule = textRule(value);
    return rule ? { path: '', rule } : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > DEPTH_MAX) return { path: '', rule: TOO_DEEP };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = unstorable(item, depth + 1);
      if (found) return within(`[${index}]`, found);
    }
    return null;
  }
  for (const key of Object.keys(value)) {
    const rule = textRule(key);
    if (rule) return { path: '', rule };
    const found = unstorable((value as Record<string, unknown>)[key], depth + 1);
    if (found) return within(`.${key}`, found);
  }
  return null;
}

const TOO_DEEP = `must be at most ${DEPTH_MAX} levels deep`;

function textRule(text: string): string | null {
  if (text.includes('\0')) return 'must not contain the character U+0000';
  return text.isWellFormed() ? null : 'must not contain half of a surrogate pair; send whole characters';
}

/**
 * Prepends a step to the path. For a value that is nested too deeply the path is left empty, because it would
 * be long.
 */
const within = (step: string, { path, rule }: Unstorable): Unstorable =>
  rule === TOO_DEEP ? { path, rule } : { path: step + path, rule };

/** Input for the fields of T; an absent field or null leaves the stored value unchanged. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Returns only the fields that are present and not null. */
export function given<I extends object>(input: I): { [K in keyof I]?: NonNullable<I[K]> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof I]?: NonNullable<I[K]> };
}

/**
 * A broken rule of a list item, together with the item, so that the reader need not count. Only names, codes
 * and ids are repeated: other texts may be secret or personal.
 */
export const itemRule = (item: unknown, rule: string): string =>
  typeof item === 'string' && /^[a-z\d][a-z\d_.:-]{0,63}$/.test(item) ? `(${item}) ${rule}` : rule;
