import { randomInt } from 'node:crypto';

// Said on the phone and read from paper: no C and K, I and J, O and Q, U and V, W, X and Y.
const CONSONANTS = 'BDFGHKLMNPRSTVZ';
const VOWELS = 'AEU';
const SYLLABLES = 6;

/** Six random syllables in groups of four letters, such as `BADE-KUFA-MEZU`: 33 bits. */
export function newCode(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const syllables = Array.from({ length: SYLLABLES }, () => pick(CONSONANTS) + pick(VOWELS));
  return inGroups(syllables.join(''));
}

/** The code as it is stored, of whatever somebody typed; text of other letters is no code. */
export const readCode = (text: string): string => inGroups(text.toUpperCase().replaceAll(/[^A-Z]/g, ''));

const inGroups = (letters: string): string => (letters.match(/.{1,4}/g) ?? []).join('-');
