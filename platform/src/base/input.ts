import { invalid } from './errors.ts';
import { lengthAtMost, noControlCharacters, notEmpty } from './input-rules.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Does the text hold control characters? Tabs and line ends are none here. */
export const hasControlCharacters = (text: string): boolean => CONTROL.test(text);

/**
 * Text as it may be stored: trimmed, not empty, of bounded length, without control characters.
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

/** Levels of nesting in one value; what is deeper could overflow the stack of code that walks it. */
const DEPTH_MAX = 32;

/** Where in a value something stands that cannot be stored, as `.rows[3].name`, and what the rule is. */
interface Unstorable {
  readonly path: string;
  readonly rule: string;
}

/**
 * Refuses what cannot be stored wherever it stands: PostgreSQL keeps no U+0000, no encoding has half of a
 * surrogate pair, and values nested without limit are refused.
 *
 * @param path - of the value, which the sentence of an error begins with
 * @throws AppError VALIDATION_FAILED naming the place, for example `rows[3].name`
 */
export function checkStorable(path: string, value: unknown): void {
  const found = unstorable(value);
  if (found) throw invalid(path + found.path, found.rule);
}

/** Null where all of a value can be stored. */
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

/** Of what is too deep only the start of the path is named, which is shorter. */
const within = (step: string, { path, rule }: Unstorable): Unstorable =>
  rule === TOO_DEEP ? { path, rule } : { path: step + path, rule };

/** What a client may say about the fields of T; absent and null leave a field as it is. */
export type Given<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Only the fields that were given, without absent and null ones. */
export function given<I extends object>(input: I): { [K in keyof I]?: NonNullable<I[K]> } {
  const entries = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof I]?: NonNullable<I[K]> };
}

/**
 * A rule that an item of a list breaks, with the item: nobody counts to the eleventh of twenty. Only names,
 * codes and ids are repeated; other texts may be secrets, or about a person.
 */
export const itemRule = (item: unknown, rule: string): string =>
  typeof item === 'string' && /^[a-z\d][a-z\d_.:-]{0,63}$/.test(item) ? `(${item}) ${rule}` : rule;
