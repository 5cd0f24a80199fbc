import { randomBytes } from 'node:crypto';

/** Without similar characters (0 O, 1 I L, U V) and without vowels, so that no code is a word. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXYZ';
/** 28 to the power of 13 is 62.5 bits: codes cannot be guessed. */
const GROUPS = [4, 4, 5] as const;
const LENGTH = 13;
/** The greatest multiple of 28 that fits in a byte. Greater bytes would make some letters more frequent. */
const BYTE_LIMIT = 252;

const PREFIX = /^[A-Z0-9]{1,10}$/;
/** Characters of an imported code; generated codes are shorter. */
export const CODE_LENGTH_MAX = 64;
const IMPORTED = /^[\x21-\x7e]{4,64}$/;

/** Whether the text is a valid prefix of codes. */
export const isPrefix = (text: string): boolean => PREFIX.test(text);

/** Returns the unique and searchable form of a code: case and surrounding spaces do not count. */
export const codeKey = (code: string): string => code.trim().toUpperCase();

/** Whether the text is a code that may be imported. */
export const isCode = (text: string): boolean => IMPORTED.test(text);

/**
 * Generates random codes from the system's secure source: `7KPM-3XQD-9RTWB`, or `SPRING-7KPM-3XQD-9RTWB` with
 * a prefix.
 */
export function randomCodes(count: number, prefix: string | null): string[] {
  const letters = randomLetters(count * LENGTH);
  const codes: string[] = [];
  for (let start = 0; start < letters.length; start += LENGTH) {
    let end = start;
    const groups = GROUPS.map((size) => {
      end += size;
      return letters.slice(end - size, end);
    });
    codes.push([...(prefix ? [prefix] : []), ...groups].join('-'));
  }
  return codes;
}

function randomLetters(length: number): string {
  const letters: string[] = [];
  while (letters.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < BYTE_LIMIT && letters.length < length) letters.push(ALPHABET[byte % ALPHABET.length]!);
    }
  }
  return letters.join('');
}
