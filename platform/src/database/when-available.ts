import { setTimeout as delay } from 'node:timers/promises';
import { databaseFault } from '@loyalty/prisma/database-error';
import { MINUTE_MS, SECOND_MS } from '../base/clock.ts';

const EVERY_MS = SECOND_MS / 4;
const LONGEST_MS = MINUTE_MS;

/**
 * Repeats a statement while the database is away or busy, for at most a minute. For callers that cannot retry
 * later, such as a worker that returns work to the queue. The statement must be repeatable.
 *
 * @throws the error of `act`, once `signal` aborts or the minute is over
 */
export async function whenAvailable<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const end = performance.now() + LONGEST_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!databaseFault(error) || signal.aborted || performance.now() > end) throw error;
      await delay(EVERY_MS);
    }
  }
}
