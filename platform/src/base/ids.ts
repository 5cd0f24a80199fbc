import { randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';
import type { Clock } from './clock.ts';
import { pooledRandomBytes } from './random-pool.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Below every id: where reading by id begins. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Is the text a UUID in its canonical form (any version)? */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Bytes of a UUID. */
export const UUID_BYTES = 16;

/** The bytes of a UUID, for tokens and sealed values that hold one. */
export const uuidToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

/** The UUID whose bytes begin at `start`. */
export const uuidAt = (bytes: Buffer, start = 0): string =>
  uuidOfHex(bytes.toString('hex', start, start + UUID_BYTES));

/** The UUID of 32 hexadecimal digits. */
export const uuidOfHex = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The same id for the same name, whoever asks. */
export const idOfName = (name: string): string => v5(name, v5.URL);

/** A new UUIDv7 of the clock's millisecond: ids sort by time of creation, also within one millisecond. */
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

/** Below every id that `newId` makes from that millisecond on, and above those from before. */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const last = { msecs: 0, seq: 0 };

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of [0-9A-Za-z] from the system's secure source, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** Every id that a value names, however deep. */
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
