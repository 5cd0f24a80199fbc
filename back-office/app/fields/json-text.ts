import type { useText } from '../messages/text.ts';

/** The position of the first syntax error of a text. */
export interface JsonFault {
  /** Number of characters before the error. */
  readonly offset: number;
  /** Line, counted from 1. */
  readonly line: number;
  /** Character in the line, counted from 1. */
  readonly column: number;
}

/** Returns the first syntax error of a text, the same in every browser. Null if the text is JSON. */
export function jsonFault(text: string): JsonFault | null {
  if (isJson(text)) return null;
  const offset = faultOffset(text);
  const before = text.slice(0, offset).split('\n');
  return { offset, line: before.length, column: Array.from(before.at(-1)!).length + 1 };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The validation rule for a JsonField: returns the sentence for its fault, or null. */
export const jsonRule =
  (t: ReturnType<typeof useText>, isRequired = false) =>
  (text: string): string | null => {
    if (text.trim() === '') return isRequired ? t('form.required') : null;
    const fault = jsonFault(text);
    return fault && t('json.fault', { line: fault.line, column: fault.column });
  };

/** Formats JSON with a line for each value. Numbers keep their typed form, however long they are. */
export function tidyJson(text: string): string {
  const { tokens } = tokensOf(text);
  let depth = 0;
  let tidy = '';
  const turnLine = (change: number): void => {
    depth += change;
    tidy += `\n${'  '.repeat(depth)}`;
  };
  for (const [place, { sign }] of tokens.entries()) {
    const before = tokens[place - 1]?.sign ?? '';
    if (CLOSING.includes(sign) && !OPENING.includes(before)) turnLine(-1);
    else if (CLOSING.includes(sign)) depth -= 1;
    else if (OPENING.includes(before)) turnLine(0);
    tidy += sign === ':' ? ': ' : sign;
    if (sign === ',') turnLine(0);
    if (OPENING.includes(sign)) depth += 1;
  }
  return tidy;
}

interface Token {
  readonly sign: string;
  readonly offset: number;
}

const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/u;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/u;
/** A token: punctuation, a string, a number or a literal. */
const TOKEN = new RegExp(`[{}[\\],:]|${STRING.source}|(?:${NUMBER.source}|true|false|null)(?![\\w.])`, 'uy');
const SPACE = /[ \t\n\r]*/y;
const OPENING = ['{', '['];
const CLOSING = ['}', ']'];

/** The valid tokens at the beginning of a text, and the offset of their end. */
function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly end: number } {
  const tokens: Token[] = [];
  let offset = 0;
  for (;;) {
    SPACE.lastIndex = offset;
    offset += SPACE.exec(text)![0].length;
    TOKEN.lastIndex = offset;
    const sign = TOKEN.exec(text)?.[0];
    if (sign === undefined) return { tokens, end: offset };
    tokens.push({ sign, offset });
    offset += sign.length;
  }
}

/** What the grammar allows next. `item` and `name` also allow the end of an empty array or object. */
type Expected = 'value' | 'item' | 'name' | 'nextName' | 'colon' | 'more';

function faultOffset(text: string): number {
  const { tokens, end } = tokensOf(text);
  const open: string[] = [];
  let expected: Expected | null = 'value';
  for (const { sign, offset } of tokens) {
    expected = follow(sign, expected, open);
    if (expected === null) return offset;
  }
  return end;
}

/**
 * Returns what the grammar allows after a token, or null if the token is not allowed.
 *
 * @param open - the closing tokens of all open arrays and objects, the innermost last
 */
function follow(sign: string, expected: Expected, open: string[]): Expected | null {
  const takesValue = expected === 'value' || expected === 'item';
  const within = open.at(-1);
  if (CLOSING.includes(sign)) {
    const canEnd = expected === 'more' || expected === (sign === '}' ? 'name' : 'item');
    if (!canEnd || within !== sign) return null;
    open.pop();
    return 'more';
  }
  if (sign === ',') {
    if (expected !== 'more' || !within) return null;
    return within === '}' ? 'nextName' : 'value';
  }
  if (sign === ':') return expected === 'colon' ? 'value' : null;
  if (sign.startsWith('"') && (expected === 'name' || expected === 'nextName')) return 'colon';
  if (!takesValue) return null;
  if (OPENING.includes(sign)) open.push(sign === '{' ? '}' : ']');
  if (sign === '{') return 'name';
  return sign === '[' ? 'item' : 'more';
}
