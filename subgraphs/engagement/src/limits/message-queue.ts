import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { throttled } from '@loyalty/platform/subscriptions/throttled';

/** Live channel that wakes who sends messages. */
export const MESSAGES_CHANNEL = 'messages';

/** Who watches a source reads its counts again this often at most. */
const INTERVAL_MS = 250;

/** Live channel of a campaign, journey or automation: its messages moved. */
export const sourceChannel = ({ workspaceId, mode }: Scope, sourceId: string): string =>
  `message-source:${workspaceId}:${mode}:${sourceId}`;

const publish = throttled(INTERVAL_MS, ({ live }, channel) => live.publish(channel, 'moved'));

/** Notifies who watches these sources, once what the caller wrote is kept; null is no source. */
export function publishMoved(ctx: Context, sourceIds: Iterable<string | null>): void {
  for (const sourceId of new Set(sourceIds)) {
    if (sourceId === null) continue;
    ctx.afterCommit(() => publish(ctx.services, sourceChannel(ctx.scope, sourceId)));
  }
}

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

// Whoever changes many messages of one workspace at once locks them in an order that nobody knows. Those who
// send share this lock for a statement, and who holds a campaign's messages or gives them back has it alone:
// so no two of them ever wait for each other's rows. It is a row of a WITH clause that the statement must
// read before it changes a message; $1 is the workspace and $2 the mode.
const lock = (kind: string) =>
  `MATERIALIZED (SELECT ${kind}(hashtextextended(
     'engagement.messages:' || $1::uuid::text || $2::platform."Mode"::text, 0)) AS passed)`;

/** For those who send. */
export const sharedGate = lock('pg_advisory_xact_lock_shared');

/** For those who change all messages of a source, or of a workspace. */
export const closedGate = lock('pg_advisory_xact_lock');
