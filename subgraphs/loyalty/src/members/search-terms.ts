import type { KeyObject } from 'node:crypto';
import type { Mode } from '@loyalty/platform/base/caller';
import { blindTerm } from '@loyalty/platform/crypto/keyring-cipher';

/*
 * Search terms of a member: the first 3 to 12 letters of each word of the name, and the last 4 to 9 digits of
 * the phone, which are equal with and without the country code. Words of one or two letters are whole terms.
 */

const LETTERS_MIN = 3;
const LETTERS_MAX = 12;
const DIGITS_MIN = 4;
const DIGITS_MAX = 9;

/** The searchable values of a member. */
export interface Findable {
  readonly name: string | null;
  readonly phone: string | null;
}

/** Returns the keyed hashes of a member's search terms, each once. */
export function termsOf(key: KeyObject, mode: Mode, { name, phone }: Findable): bigint[] {
  const parts = new Set([
    ...wordsOf(name ?? '').flatMap(beginnings),
    ...endings((phone ?? '').replaceAll(/\D/g, '')),
  ]);
  return [...parts].map((part) => blindTerm(key, part, contextIn(mode)));
}

/** A term that a member must have: its hash by each key of the workspace. */
export type SearchedTerm = readonly bigint[];

/**
 * Returns the terms of a searched text; a member must have all of them. Empty if the text has no term, for
 * example a single digit. Beside a longer word, those of one or two letters are ignored, because they may be
 * incomplete.
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

/** Digits with the separators that people write between them. */
const PHONE = /\d[\d\s().\-/]*/g;

function lastDigits(number: string): string[] {
  const digits = number.replaceAll(/\D/g, '');
  return digits.length < DIGITS_MIN ? [] : [digits.slice(-DIGITS_MAX)];
}

/** Letters whose mark is not a combining character. */
const plain: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ς: 'σ',
};

/**
 * Splits a text into words as lists of letters: in lower case, without accents, the same from every keyboard.
 */
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
