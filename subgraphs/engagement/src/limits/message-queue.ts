import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { throttled } from '@loyalty/platform/subscriptions/throttled';

/** Live channel that wakes the workers that send messages. */
export const MESSAGES_CHANNEL = 'messages';

/** Minimum interval between two reads of the counts of a watched source. */
const INTERVAL_MS = 250;

/** Live channel of a campaign, journey or automation: statuses of its messages changed. */
export const sourceChannel = ({ workspaceId, mode }: Scope, sourceId: string): string =>
  `message-source:${workspaceId}:${mode}:${sourceId}`;

const publish = throttled(INTERVAL_MS, ({ live }, channel) => live.publish(channel, 'moved'));

/** Notifies the watchers of these sources after the caller's transaction commits. Nulls are ignored. */
export function publishMoved(ctx: Context, sourceIds: Iterable<string | null>): void {
  for (const sourceId of new Set(sourceIds)) {
    if (sourceId === null) continue;
    ctx.afterCommit(() => publish(ctx.services, sourceChannel(ctx.scope, sourceId)));
  }
}

/** Lease of a claimed message. After it, another worker may claim the message. */
export const LEASE_MS = 180_000;

/**
 * SQL of the time at which a released message `m` is due: now. If the last attempt has no outcome, it may
 * still be running. Then the message is due when the lease of that attempt ends, as after a crash.
 *
 * @param now - the parameter of the time, such as `$3`
 */
export const dueAgain = (now: string): string => `coalesce((
  SELECT greatest(${now}::timestamptz, a.started_at + interval '${LEASE_MS} milliseconds')
    FROM engagement.message_attempts AS a
   WHERE m.attempts > 0 AND ${inScope('a')} AND a.message_id = m.id AND a.number = m.attempts
     AND a.outcome = 'UNKNOWN'), ${now}::timestamptz)`;

// A statement that changes many messages of a workspace locks their rows in an unknown order, so that two
// such statements could deadlock. Statements that send share this lock. Statements that hold, release or
// cancel all messages of a source take it exclusively. It is a row of a WITH clause, which the statement must
// read before it changes a message. $1 is the workspace and $2 the mode.
const lock = (kind: string) =>
  `MATERIALIZED (SELECT ${kind}(hashtextextended(
     'engagement.messages:' || $1::uuid::text || $2::platform."Mode"::text, 0)) AS passed)`;

/** For statements that send. */
export const sharedLock = lock('pg_advisory_xact_lock_shared');

/** For statements that change all messages of a source, or of a workspace. */
export const exclusiveLock = lock('pg_advisory_xact_lock');
