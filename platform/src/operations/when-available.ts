import { setTimeout as delay } from 'node:timers/promises';
import { databaseFault } from '@loyalty/prisma/database-error';
import { MINUTE_MS, SECOND_MS } from '../clock.ts';

const EVERY_MS = SECOND_MS / 4;
const LONGEST_MS = MINUTE_MS;

/**
 * Repeats a read that fails because the database is away or busy, for at most a minute: for callers who could
 * not read it again later.
 *
 * @throws what the read throws, once `signal` aborts or the minute is over
 */
export async function whenAvailable<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!databaseFault(error) || signal.aborted || performance.now() > end) throw error;
      await delay(EVERY_MS);
    }
  }
}
