import { randomFillSync } from 'node:crypto';

/** Bytes requested from the system at once. Each request costs microseconds, whatever its length. */
const pool = Buffer.alloc(8_192);
let used = pool.length;

/**
 * Returns `length` bytes (at most 256) from the system's secure random source; no other caller gets the same
 * bytes.
 */
export function pooledRandomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + length));
  // Keys must not stay in memory.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
