import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import { systemCaller } from '@loyalty/platform/base/caller';
import type { Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { TracedEvent } from '@loyalty/platform/database/outbox.store';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import type { PgBoss } from 'pg-boss';
import { v5 } from 'uuid';
import { type Envelope, insertJobs } from './queues.ts';
import type { Reaction } from './reactions.ts';

const BATCH = 500;

/** Returns the id of a job for its cause, so that the same cause never queues it twice. */
export const jobId = (cause: string, jobName: string): string => v5(`${cause} ${jobName}`, v5.URL);

/**
 * Passes waiting events to their reactions and consumers: claims a batch, queues one job per reaction, passes
 * the events to the consumers, and marks the batch, all in one transaction. The commit does not wait for the
 * disk: after a crash of PostgreSQL the events are passed on again, and no result of them was kept.
 *
 * @returns the number of events; fewer than a full batch means that no more events wait
 */
export async function relayBatch(
  services: Services,
  boss: PgBoss,
  reactions: readonly Reaction[],
  consumers: readonly EventConsumer[] = [],
): Promise<number> {
  const ctx = createContext(services, { caller: systemCaller('relay'), requestId: 'relay' });
  return ctx.transaction(async (tx) => {
    const { sql } = tx;
    const events = await sql.query<TracedEvent>(
      `/* every workspace */ WITH waiting AS MATERIALIZED (
         SELECT workspace_id, id FROM platform.outbox WHERE relayed_at IS NULL
          ORDER BY created_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
       )
       UPDATE platform.outbox AS e SET relayed_at = $1 FROM waiting, ${ASYNCHRONOUS_COMMIT}
        WHERE e.workspace_id = waiting.workspace_id AND e.id = waiting.id
       RETURNING e.id, e.type, e.workspace_id, e.mode, e.payload, e.actor, e.created_at, e.traceparent`,
      [services.clock.now()],
    );
    const oldest = Math.min(...events.map(({ createdAt }) => createdAt.getTime()));
    services.metrics.outboxLagSeconds.set(
      events.length > 0 ? (services.clock.now().getTime() - oldest) / 1_000 : 0,
    );
    const db = {
      executeSql: async (text: string, values: unknown[] = []) => ({ rows: await sql.query(text, values) }),
    };
    for (const { event, jobs } of reactions) {
      const causes = events.filter(({ type }) => type === event);
      if (causes.length === 0) continue;
      for (const job of jobs) {
        const queued = causes.map((cause) => ({
          id: jobId(cause.id, job.name),
          data: envelope(job.name, cause),
        }));
        await insertJobs(boss, job, queued, { db });
      }
    }
    for (const { types, take } of consumers) {
      const taken = events.filter(({ type }) => types.has(type));
      if (taken.length > 0) await take(tx, taken);
    }
    return events.length;
  });
}

const envelope = (job: string, { id, workspaceId, mode, payload, traceparent }: TracedEvent): Envelope => ({
  job,
  workspaceId,
  mode,
  requestId: id,
  traceparent,
  data: payload,
});

export const RELAY_BATCH = BATCH;
