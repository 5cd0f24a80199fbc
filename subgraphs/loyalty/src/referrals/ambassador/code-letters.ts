import { randomInt } from 'node:crypto';

// Codes are spoken on the phone and read from paper, so letters that are easily confused are left out.
const CONSONANTS = 'BDFGHKLMNPRSTVZ';
const VOWELS = 'AEU';
const SYLLABLES = 6;

/** Six random syllables in groups of four letters, such as `BADE-KUFA-MEZU`: 33 bits. */
export function newCode(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const syllables = Array.from({ length: SYLLABLES }, () => pick(CONSONANTS) + pick(VOWELS));
  return inGroups(syllables.join(''));
}

/** The code in its stored form, from any spelling. */
export const readCode = (text: string): string => inGroups(text.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const inGroups = (letters: string): string => (letters.match(/.{1,4}/g) ?? []).join('-');
