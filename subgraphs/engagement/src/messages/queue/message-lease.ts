import { inScope } from '@loyalty/platform/caller/scope-sql';

/** After this time the worker that took a message is given up, in ms. */
export const LEASE_MS = 180_000;

/**
 * When a message `m` that was kept back is due: now. An attempt without an outcome may still be under way;
 * then it is due when its worker would have been given up, as it is after a crash.
 *
 * @param now - the place of the time in the statement, such as `$3`
 */
export const dueAgain = (now: string): string => `coalesce((
  SELECT greatest(${now}::timestamptz, a.started_at + interval '${LEASE_MS} milliseconds')
    FROM engagement.message_attempts AS a
   WHERE m.attempts > 0 AND ${inScope('a')} AND a.message_id = m.id AND a.number = m.attempts
     AND a.outcome = 'UNKNOWN'), ${now}::timestamptz)`;
