import { randomInt } from 'node:crypto';

const DIGITS = 6;

/** What the hash of a code is keyed for. */
export const CODE_INDEX = 'member-sign-in-code';

/** Six random digits. */
export const newCode = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');

/** The digits of what a person typed, in which spaces and dashes do not count. */
export const normalCode = (code: string): string => code.replaceAll(/[\s-]/g, '');

/** What is hashed: codes are short, so equal ones of two sign-ins must not have one hash. */
export const codeOf = (signInId: string, code: string): string => `${signInId}:${code}`;
