import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';
import type { Clock } from './clock.ts';
import { pooledRandomBytes } from './random-pool.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id below every other id: the start of a read in id order. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Returns whether the text is a UUID (any version) in its canonical form. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Length of a UUID in bytes. */
export const UUID_BYTES = 16;

/** Returns the bytes of a UUID, for tokens and sealed values that contain one. */
export const uuidToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** Returns the UUID whose bytes begin at `start`. */
export const uuidAt = (bytes: Buffer, start = 0): string =>
  uuidOfHex(bytes.toString('hex', start, start + UUID_BYTES));

/** Returns the UUID of 32 hexadecimal digits. */
export const uuidOfHex = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns an id derived from a name: the same name always gives the same id. */
export const idOfName = (name: string): string => v5(name, v5.URL);

/**
 * Returns a new UUIDv7 for the clock's millisecond. Ids sort by creation time, also within one millisecond.
 */
export function newId(clock: Clock): string {
  const msecs = clock.now().getTime();
  if (msecs !== last.msecs) {
    last.msecs = msecs;
    last.seq = pooledRandomBytes(4).readUInt32BE() >>> 1;
  } else {
    last.seq += 1;
  }
  return v7({ msecs, seq: last.seq, random: pooledRandomBytes(UUID_BYTES) });
}

/**
 * Returns a lower bound: it is below all ids that `newId` makes from this millisecond on, and above all
 * earlier ones.
 */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const last = { msecs: 0, seq: 0 };

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `length` characters of [0-9A-Za-z] from the system's secure random source, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** Collects all ids in a value, at any depth. */
export function idsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (isUuid(value)) found.add(value.toLowerCase());
  } else if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
    for (const each of value.values()) idsIn(each, found);
  } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
    for (const each of Object.values(value)) idsIn(each, found);
  }
  return found;
}
