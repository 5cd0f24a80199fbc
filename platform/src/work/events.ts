import type { z } from 'zod';
import type { Scope } from '../base/caller.ts';
import { isUuid, newId } from '../base/ids.ts';
import type { Context } from '../context.ts';
import type { TracedEvent } from '../database/outbox.store.ts';
import { childSpan, currentTrace, messagingAttributes } from '../observe/spans.ts';

/** Stages in the order of a member's life cycle. */
export const eventStages = [
  'acquisition',
  'engagement',
  'loyalty',
  'retention',
  'commerce',
  'advocacy',
] as const;
export type EventStage = (typeof eventStages)[number];

/** The data of a member that segments read. */
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

/** The uses of an event beyond the reactions of subgraphs. A missing field means no such use. */
export interface EventUses<Payload> {
  /** Integrations can subscribe to it. */
  readonly webhook?: {
    readonly stage: EventStage;
    /** The payload field with the id for `data.resource_id`. */
    readonly resource: keyof Payload & string;
    readonly label: string;
    readonly description: string;
  };
  /** Kind of the entry in the member's timeline; null: it names a member but is not shown. */
  readonly activity?: string | null;
  /** Data that may have changed for the members that it names; `RECORD`: as defined by the record. */
  readonly changes?: readonly (MemberAspect | 'ALL')[] | 'RECORD';
  /** Data that may have changed for every member. */
  readonly changesAll?: readonly MemberAspect[];
  /** True if the subject is shared by live and test mode. */
  readonly isShared?: true;
  /** Automations can start with it. */
  readonly trigger?: {
    readonly kind: string;
    readonly label: string;
    /** Keys of the trigger that contain lists of ids, and the payload fields that must be in the list. */
    readonly filters?: Readonly<Record<string, keyof Payload & string>>;
  };
  /** Segments can count its occurrences. */
  readonly condition?: {
    readonly label: string;
    /** Kind of the occurrence. */
    readonly kind: string;
    readonly aspect: MemberAspect;
    /** The key that restricts the condition to stores or coupon pools. */
    readonly places: 'store_ids' | 'pool_ids';
    /** The profile column with the total count; null if there is none. */
    readonly total: string | null;
  };
}

/** An event type that packages share: its name in the catalog and the schema of its payload. */
export interface EventType<T> {
  readonly type: string;
  readonly schema: z.ZodType<T>;
  readonly uses: EventUses<T>;
}

/** Declares an event type. The payload contains ids and counts, never personal data. */
export const event = <T>(type: string, schema: z.ZodType<T>, uses: EventUses<T> = {}): EventType<T> => ({
  type,
  schema,
  uses,
});

/** An event as passed to its reactions. */
export interface PublishedEvent<T = unknown> extends Omit<TracedEvent, 'payload' | 'traceparent'> {
  readonly payload: T;
}

/** Live channel that wakes the relay when the outbox has rows. */
export const OUTBOX_CHANNEL = 'outbox';

/**
 * Writes the event in the caller's transaction: it is published if and only if the change is committed.
 * Delivery to reactions is at least once.
 */
export const publish = <T>(ctx: Context, declared: EventType<T>, payload: T): Promise<void> =>
  publishAll(ctx, declared, [payload]);

/** Writes one event per payload, like `publish`. */
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
 * Writes events within a span. They store the span's context for the jobs that they cause.
 *
 * @remarks Source: OpenTelemetry semantic conventions, messaging spans: the creation context
 */
const publishing = (type: string, write: (traceparent: string | null) => Promise<void>): Promise<void> =>
  childSpan(`send ${type}`, { kind: 'PRODUCER', attributes: messagingAttributes('send', type) }, () =>
    write(currentTrace()),
  );

/**
 * Live channel of one thing. It carries the ids of all events whose payload names the thing.
 *
 * @param noun - as in the payload: `member` for `memberId`
 */
export const aboutChannel = ({ workspaceId, mode }: Scope, noun: string, id: string): string =>
  `about:${workspaceId}:${mode}:${noun}:${id}`;

/** Live channel of a workspace in one mode. It carries the ids of all events. */
export const workspaceChannel = ({ workspaceId, mode }: Scope): string => `events:${workspaceId}:${mode}`;

/** After the commit, wakes the relay and the watchers of the things that the events name. */
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

/**
 * Returns the things that a payload names: `memberId` names a member. Ids of other systems are not included.
 */
function thingsIn(payload: unknown): [noun: string, id: string][] {
  return Object.entries(payload ?? {}).flatMap(([key, id]): [string, string][] =>
    key.endsWith('Id') && typeof id === 'string' && isUuid(id) ? [[key.slice(0, -2), id]] : [],
  );
}
