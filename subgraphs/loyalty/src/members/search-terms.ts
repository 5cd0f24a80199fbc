import type { KeyObject } from 'node:crypto';
import type { Mode } from '@loyalty/platform/base/caller';
import { blindTerm } from '@loyalty/platform/crypto/keyring-cipher';

/*
 * What a member is found by: each word of the name by its first 3 to 12 letters, the phone by its last 4 to 9
 * digits, which are the same with and without the country. Words of one or two letters are found whole.
 */

const LETTERS_MIN = 3;
const LETTERS_MAX = 12;
const DIGITS_MIN = 4;
const DIGITS_MAX = 9;

/** What is found of a member. */
export interface Findable {
  readonly name: string | null;
  readonly phone: string | null;
}

/** The keyed hashes by which a member is found, each once. */
export function termsOf(key: KeyObject, mode: Mode, { name, phone }: Findable): bigint[] {
  const parts = new Set([
    ...wordsOf(name ?? '').flatMap(beginnings),
    ...endings((phone ?? '').replaceAll(/\D/g, '')),
  ]);
  return [...parts].map((part) => blindTerm(key, part, contextIn(mode)));
}

/** One thing that must be found: its hash by each key of the workspace. */
export type SearchedTerm = readonly bigint[];

/**
 * What a text searches for; all must be found of one member. Empty where it has nothing to search for, as a
 * single digit. Beside a longer word, those of one or two letters do not count: they may be begun only.
 */
export function searchedTerms(keys: readonly KeyObject[], mode: Mode, text: string): SearchedTerm[] {
  const words = wordsOf(text);
  const numbers = [...text.matchAll(PHONE)].flatMap(([number]) => lastDigits(number));
  const long = words.filter((word) => word.length >= LETTERS_MIN);
  const searched = long.length + numbers.length > 0 ? long : words;
  const parts = new Set([...searched.map((word) => word.slice(0, LETTERS_MAX).join('')), ...numbers]);
  return [...parts].map((part) => keys.map((key) => blindTerm(key, part, contextIn(mode))));
}

const contextIn = (mode: Mode): string => `member.search:${mode}`;

/** Digits with what people write between them. */
const PHONE = /\d[\d\s().\-/]*/g;

function lastDigits(number: string): string[] {
  const digits = number.replaceAll(/\D/g, '');
  return digits.length < DIGITS_MIN ? [] : [digits.slice(-DIGITS_MAX)];
}

/** Letters that have no mark which could be taken off. */
const plain: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ς: 'σ',
};

/** Words as lists of letters: in lower case, without accents, the same from every keyboard. */
function wordsOf(text: string): string[][] {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const simple = letters.replaceAll(/[ßæœøłđðþıς]/g, (letter) => plain[letter]!);
  return (simple.match(/\p{L}+/gu) ?? []).map((word) => Array.from(word));
}

function beginnings(word: readonly string[]): string[] {
  const lengths = between(Math.min(LETTERS_MIN, word.length), Math.min(LETTERS_MAX, word.length));
  return lengths.map((length) => word.slice(0, length).join(''));
}

const endings = (digits: string): string[] =>
  between(DIGITS_MIN, Math.min(DIGITS_MAX, digits.length)).map((length) => digits.slice(-length));

const between = (least: number, most: number): number[] =>
  Array.from({ length: Math.max(0, most - least + 1) }, (_, at) => least + at);
