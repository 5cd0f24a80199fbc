import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS } from '@loyalty/platform/base/clock';

/** Sends an operation as the owner of the demo workspace. */
export type Ask = (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** The demo could not be completed; the message is for people. */
export class DemoError extends Error {
  override readonly name = 'DemoError';

  constructor(reason: string) {
    super(
      `The demo workspace could not be seeded: ${reason} ` +
        'The next start seeds it anew; LOYALTY_DEMO=0 starts without it.',
    );
  }
}

/** Maximum wait. Even a slow machine needs less time; work that takes longer is not done at all. */
const WAIT_MS_MAX = 10 * MINUTE_MS;

/**
 * Calls `isDone` every `pollMs` until it returns true.
 *
 * @param what - what is not done yet, for the error sentence
 * @throws DemoError after ten minutes
 */
export async function untilDone(what: string, pollMs: number, isDone: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isDone()); waitedMs += pollMs) {
    if (waitedMs >= WAIT_MS_MAX) throw new DemoError(`${what} after ten minutes.`);
    await delay(pollMs);
  }
}
