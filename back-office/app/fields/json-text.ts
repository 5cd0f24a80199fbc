import type { useText } from '../messages/text.ts';

/** Where a text stops being JSON. */
export interface JsonFault {
  /** Characters before it. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

/** Where a text stops being JSON, alike in every browser; null where it is JSON. */
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

/** The rule of a form for a JsonField: the sentence for its fault, or null. */
export const jsonRule =
  (t: ReturnType<typeof useText>, isRequired = false) =>
  (text: string): string | null => {
    if (text.trim() === '') return isRequired ? t('form.required') : null;
    const fault = jsonFault(text);
    return fault && t('json.fault', { line: fault.line, column: fault.column });
  };

/** The same JSON with a line for each value. Its numbers are kept as they were typed, however long. */
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
/** A sign of the grammar, text, a number or a word. */
const TOKEN = new RegExp(`[{}[\\],:]|${STRING.source}|(?:${NUMBER.source}|true|false|null)(?![\\w.])`, 'uy');
const SPACE = /[ \t\n\r]*/y;
const OPENING = ['{', '['];
const CLOSING = ['}', ']'];

/** The tokens of a text as far as there are any, and where they end. */
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

/** What may come next; instead of the first item or name, what is empty may end. */
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

/** @param open - how what is open will end, the innermost last */
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
