import type { z } from 'zod';
import type { Scope } from '../caller/caller.ts';
import type { Context } from '../context.ts';
import { childSpan, currentTrace, messagingAttributes } from '../operations/tracing/spans.ts';
import { isUuid, newId } from '../values/ids.ts';
import type { TracedEvent } from './outbox.store.ts';

/** A type of event that packages share: its name as the catalog prints it and the shape of its payload. */
export interface EventType<T> {
  readonly type: string;
  readonly schema: z.ZodType<T>;
}

/** Declares an event; the payload carries ids and counts, never personal data. */
export const event = <T>(type: string, schema: z.ZodType<T>): EventType<T> => ({ type, schema });

/** An event as its reactions get it. */
export interface PublishedEvent<T = unknown> extends Omit<TracedEvent, 'payload' | 'traceparent'> {
  readonly payload: T;
}

/** Live channel that wakes the relay when the outbox has rows. */
export const OUTBOX_CHANNEL = 'outbox';

/**
 * Writes the event into the caller's transaction, with its commit: it is published if and only if the change
 * is kept. Delivery to reactions is at least once.
 */
export const publish = <T>(ctx: Context, declared: EventType<T>, payload: T): Promise<void> =>
  publishAll(ctx, declared, [payload]);

/** Writes one event per payload, as `publish` does. */
export async function publishAll<T>(
  ctx: Context,
  { type, schema }: EventType<T>,
  payloads: readonly T[],
): Promise<void> {
  if (payloads.length === 0) return;
  const { workspaceId, mode } = ctx.scope;
  const { actor } = ctx.caller;
  const createdAt = ctx.clock.now();
  const events = payloads.map((payload) => ({ id: newId(ctx.clock), payload: schema.parse(payload) }));
  await publishing(type, (traceparent) =>
    ctx.writeEvents(
      events.map((event) => ({ ...event, workspaceId, mode, type, createdAt, actor, traceparent })),
    ),
  );
  publishLive(ctx, events);
}

/**
 * Writes events within a span, whose context they keep for the jobs that they lead to.
 *
 * @remarks Source: OpenTelemetry semantic conventions, messaging spans: the creation context
 */
const publishing = (type: string, write: (traceparent: string | null) => Promise<void>): Promise<void> =>
  childSpan(`send ${type}`, { kind: 'PRODUCER', attributes: messagingAttributes('send', type) }, () =>
    write(currentTrace()),
  );

/**
 * Live channel of one thing: it carries the id of every event whose payload names the thing.
 *
 * @param noun - as in the payload: `member` for `memberId`
 */
export const aboutChannel = ({ workspaceId, mode }: Scope, noun: string, id: string): string =>
  `about:${workspaceId}:${mode}:${noun}:${id}`;

/** Live channel of a workspace in one mode: it carries the id of every event. */
export const workspaceChannel = ({ workspaceId, mode }: Scope): string => `events:${workspaceId}:${mode}`;

/** Wakes the relay and the watchers of what the events are about, once they are kept. */
function publishLive(ctx: Context, events: readonly { id: string; payload: unknown }[]): void {
  const { scope, services } = ctx;
  ctx.afterCommit(async () => {
    const about = events.flatMap(({ id, payload }) =>
      thingsIn(payload).map(([noun, thing]) => services.live.publish(aboutChannel(scope, noun, thing), id)),
    );
    const all = events.map(({ id }) => services.live.publish(workspaceChannel(scope), id));
    await Promise.all([services.live.publish(OUTBOX_CHANNEL, 'new'), ...about, ...all]);
  });
}

/** What a payload names: `memberId` is a member. Ids of other systems are not ours. */
function thingsIn(payload: unknown): [noun: string, id: string][] {
  return Object.entries(payload ?? {}).flatMap(([key, id]): [string, string][] =>
    key.endsWith('Id') && typeof id === 'string' && isUuid(id) ? [[key.slice(0, -2), id]] : [],
  );
}
