import type { Sql } from '@loyalty/prisma/client';
import { arraysOf } from './array-parameters.ts';

/** An event as the outbox keeps it. */
export interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly workspaceId: string;
  readonly mode: 'LIVE' | 'TEST';
  readonly payload: unknown;
  readonly createdAt: Date;
  /** Who acted, as `Caller.actor`; null in events from before it was kept. */
  readonly actor: string | null;
  /** Of the span that published it, for the jobs that continue its trace. */
  readonly traceparent: string | null;
}

/** Writes events, of any workspaces, in one statement. */
export async function insertEvents(sql: Sql, events: readonly TracedEvent[]): Promise<void> {
  await sql.query(
    `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at, actor,
                                  traceparent)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::platform."Mode"[], $4::text[], $5::jsonb[],
                          $6::timestamptz[], $7::text[], $8::text[])`,
    [
      ...arraysOf(events, 'id', 'workspaceId', 'mode', 'type'),
      events.map(({ payload }) => JSON.stringify(payload)),
      ...arraysOf(events, 'createdAt', 'actor', 'traceparent'),
    ],
  );
}
