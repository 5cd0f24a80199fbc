import type { Sql } from '@loyalty/prisma/client';
import { arraysOf } from './array-parameters.ts';

/** An event as stored in the outbox. */
export interface TracedEvent {
  readonly id: string;
  readonly type: string;
  readonly workspaceId: string;
  readonly mode: 'LIVE' | 'TEST';
  readonly payload: unknown;
  readonly createdAt: Date;
  /** `Caller.actor` of the publisher; null in old events, which were stored without it. */
  readonly actor: string | null;
  /** Trace context of the span that published the event; jobs continue this trace. */
  readonly traceparent: string | null;
}

/** Inserts events, of any workspaces, in one statement. */
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
