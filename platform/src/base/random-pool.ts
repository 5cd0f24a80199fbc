import { randomFillSync } from 'node:crypto';

/** The system is asked for as many bytes at once: each question costs microseconds, whatever its length. */
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** That many bytes (256 at most) from the system's secure source, which nobody else gets. */
export function pooledRandomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + length));
  // Keys are not left behind in memory.
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
