import type { z } from 'zod';
import type { Scope } from '../base/caller.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import type { TracedEvent } from '../database/outbox.store.ts';
import { childSpan, currentTrace, messagingAttributes } from '../observe/spans.ts';

/** In the order of a member's life. */
export const eventStages = [
  'acquisition',
  'engagement',
  'loyalty',
  'retention',
  'commerce',
  'advocacy',
] as const;
export type EventStage = (typeof eventStages)[number];

/** What segments read of a member. */
export type MemberAspect =
  | 'MEMBER'
  | 'CUSTOM'
  | 'TAGS'
  | 'CONSENTS'
  | 'TIER'
  | 'POINTS'
  | 'ORDERS'
  | 'VISITS'
  | 'COUPONS'
  | 'STATE';

/** What an event is used for beside the reactions of the subgraphs; what is left out, it is not. */
export interface EventUses<Payload> {
  /** Integrations subscribe to it. */
  readonly webhook?: {
    readonly stage: EventStage;
    /** The field of the payload whose id is `data.resource_id`. */
    readonly resource: keyof Payload & string;
    readonly label: string;
    readonly description: string;
  };
  /** Its kind in the member's timeline; null: it names a member, and is not shown there. */
  readonly activity?: string | null;
  /** What it may change of the members that it names, maybe nothing; `RECORD`: what the record says. */
  readonly changes?: readonly (MemberAspect | 'ALL')[] | 'RECORD';
  /** What it may change of every member. */
  readonly changesAll?: readonly MemberAspect[];
  /** It is about what live and test share. */
  readonly isShared?: true;
  /** Automations begin with it. */
  readonly trigger?: {
    readonly kind: string;
    readonly label: string;
    /** Keys of the trigger that list ids, and the fields of the payload that must be one of them. */
    readonly filters?: Readonly<Record<string, keyof Payload & string>>;
  };
  /** Segments count how often it happened. */
  readonly condition?: {
    readonly label: string;
    /** Of the occurrence. */
    readonly kind: string;
    readonly aspect: MemberAspect;
    /** The key that narrows the condition down to places. */
    readonly places: 'store_ids' | 'pool_ids';
    /** The column of a profile that counts all; null: there is none. */
    readonly total: string | null;
  };
}

/** A type of event that packages share: its name as the catalog prints it and the shape of its payload. */
export interface EventType<T> {
  readonly type: string;
  readonly schema: z.ZodType<T>;
  readonly uses: EventUses<T>;
}

/** Declares an event; the payload carries ids and counts, never personal data. */
export const event = <T>(type: string, schema: z.ZodType<T>, uses: EventUses<T> = {}): EventType<T> => ({
  type,
  schema,
  uses,
});

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
