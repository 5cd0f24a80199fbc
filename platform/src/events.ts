import type { z } from 'zod';
import type { Context } from './context.ts';
import { newId } from './ids.ts';

/** A word that packages share: its name as the catalog prints it and the shape of its payload, ids only. */
export interface EventType<T> {
  readonly type: string;
  readonly schema: z.ZodType<T>;
}

/** Declares an event; the payload carries ids and counts, never personal data. */
export const event = <T>(type: string, schema: z.ZodType<T>): EventType<T> => ({ type, schema });

/** An outbox row on its way to its reactions. */
export interface PublishedEvent<T = unknown> {
  readonly id: string;
  readonly type: string;
  readonly workspaceId: string;
  readonly mode: 'LIVE' | 'TEST';
  readonly payload: T;
  readonly createdAt: Date;
}

/** Live channel on which the relay hears that the outbox has rows. */
export const OUTBOX_CHANNEL = 'outbox';

/**
 * Writes the event into the caller's transaction: it is told if and only if the change is kept.
 * Delivery to reactions is at least once.
 */
export async function publish<T>(ctx: Context, declared: EventType<T>, payload: T): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6)`,
    [
      newId(ctx.clock),
      workspaceId,
      mode,
      declared.type,
      JSON.stringify(declared.schema.parse(payload)),
      ctx.clock.now(),
    ],
  );
  ctx.afterCommit(() => ctx.services.live.publish(OUTBOX_CHANNEL, 'new'));
}

/** Writes one event per payload, as `publish` does, in one statement: for changes made by the thousand. */
export async function publishAll<T>(
  ctx: Context,
  declared: EventType<T>,
  payloads: readonly T[],
): Promise<void> {
  if (payloads.length === 0) return;
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at)
     SELECT e.id, $3, $4::platform."Mode", $5, e.payload, $6
       FROM unnest($1::uuid[], $2::jsonb[]) AS e(id, payload)`,
    [
      payloads.map(() => newId(ctx.clock)),
      payloads.map((payload) => JSON.stringify(declared.schema.parse(payload))),
      workspaceId,
      mode,
      declared.type,
      ctx.clock.now(),
    ],
  );
  ctx.afterCommit(() => ctx.services.live.publish(OUTBOX_CHANNEL, 'new'));
}
