import { crc32 } from 'node:zlib';
import type { Mode } from '@loyalty/platform/base/caller';
import { randomBase62 } from '@loyalty/platform/base/ids';

/** PUBLISHABLE for websites and apps, where everybody can read the key. */
export type ApiKeyKind = 'SECRET' | 'PUBLISHABLE';

const PREFIXES: Readonly<Record<ApiKeyKind, string>> = { SECRET: 'lk', PUBLISHABLE: 'pk' };
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 'lk_live_'.length + 4;
const SHAPE = /^[lp]k_(live|test)_[0-9A-Za-z]{38}$/;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns a new key: 190 random bits and a checksum. It is shown once and never stored. */
export function newKeySecret(mode: Mode, kind: ApiKeyKind): string {
  const body = `${PREFIXES[kind]}_${mode.toLowerCase()}_${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Whether this may be one of our keys: the checksum detects a mistyped one without a query. */
export function isKeySecret(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** Whether the credential is meant as an API key, complete or not. */
export const looksLikeKey = (text: string): boolean => /^[lp]k_/.test(text);

/** Returns the parts of a key that lists show. */
export const listedParts = (secret: string): { prefix: string; lastFour: string } => ({
  prefix: secret.slice(0, PREFIX_LENGTH),
  lastFour: secret.slice(-4),
});

/** Returns CRC-32 in six base62 digits. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
