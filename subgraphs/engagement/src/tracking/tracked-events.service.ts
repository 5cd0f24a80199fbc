import { batches } from '@loyalty/platform/base/batches';
import { actorId, type Caller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import { firstIdAt } from '@loyalty/platform/base/ids';
import { from1To } from '@loyalty/platform/base/input-rules';
import type { Context, Services } from '@loyalty/platform/context';
import {
  createDayPartition,
  dropDayPartition,
  midnight,
  partitionDays,
} from '@loyalty/platform/database/day-partitions';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import { throttled } from '@loyalty/platform/subscriptions/throttled';
import { publishAll } from '@loyalty/platform/work/events';
import { findMembers } from '../peers.ts';
import { recordTracked } from '../profiles/profile-changes.service.ts';
import { eventIdsOf, type ReadEvent, readEvent, type TrackedEventInput } from './tracked-events.input.ts';
import {
  deleteMemberTracking,
  findTrackedFacts,
  identitiesOf,
  insertEvents,
  insertIdentities,
  joinEarlierEvents,
  memberTracking,
  type NewEvent,
} from './tracked-events.store.ts';
import { trackedEventsRecorded } from './tracking.events.ts';

const EVENTS_MAX = 100;

/** Events of a visitor within this time before the visitor is identified are assigned to the member. */
const ASSIGNED_MS = 30 * DAY_MS;

const FACTS_AT_ONCE = 1_000;

/** Minimum interval between two notifications of watchers of a workspace, for each process. */
const LIVE_MS = 250;

interface RejectedEvent {
  readonly index: number;
  readonly error: string;
}

export interface TrackingResult {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly RejectedEvent[];
}

/** An event with its place in the request. */
interface PlacedEvent extends ReadEvent {
  readonly index: number;
}

/** Live channel of a workspace's tracking. A message means that there are new events. */
export const trackingChannel = ({ workspaceId, mode }: Context['scope']): string =>
  `tracking:${workspaceId}:${mode}`;

const publishNew = throttled(LIVE_MS, ({ live }, channel) => live.publish(channel, 'new'));

/**
 * Records events with a constant number of statements. An invalid event does not affect the others.
 *
 * @throws AppError VALIDATION_FAILED (400) for no events or more than 100, PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Tracking", POST /tracking/events; requirement L-TRK-02
 */
export async function trackEvents(
  ctx: Context,
  inputs: readonly TrackedEventInput[],
): Promise<TrackingResult> {
  if (inputs.length < 1 || inputs.length > EVENTS_MAX) throw invalid('events', from1To(100, 'events'));
  const rejected: RejectedEvent[] = [];
  const read = readAll(ctx, inputs, rejected);
  const events = await withMembers(ctx, read, rejected);
  rejected.sort((one, other) => one.index - other.index);
  if (events.length === 0) return { accepted: 0, duplicates: 0, rejected };
  await prepareToday(ctx);
  const accepted = await record(ctx, events);
  const { services, scope } = ctx;
  if (accepted > 0) ctx.afterCommit(() => publishNew(services, trackingChannel(scope)));
  return { accepted, duplicates: events.length - accepted, rejected };
}

function readAll(
  ctx: Context,
  inputs: readonly TrackedEventInput[],
  rejected: RejectedEvent[],
): PlacedEvent[] {
  const now = ctx.clock.now();
  const events: PlacedEvent[] = [];
  for (const [index, input] of inputs.entries()) {
    const event = readEvent(input, now);
    const error = typeof event === 'string' ? event : memberRefusal(ctx.caller, event);
    if (typeof event === 'string' || error) rejected.push({ index, error: `${error}.` });
    else events.push({ ...event, index, memberId: ownMember(ctx.caller) ?? event.memberId });
  }
  return events;
}

const ownMember = (caller: Caller): string | null => (caller.kind === 'MEMBER' ? actorId(caller) : null);

/** Returns the reason why the caller may not name a member. A publishable key is public, so it may not. */
function memberRefusal(caller: Caller, { memberId }: ReadEvent): string | null {
  if (memberId === null) return null;
  if (caller.kind === 'PUBLISHABLE') return 'memberId needs the session of the member';
  const isOther = caller.kind === 'MEMBER' && memberId !== actorId(caller);
  return isOther ? 'memberId must be the signed-in member' : null;
}

/** Returns the allowed events, with the members of identified visitors. */
async function withMembers(
  ctx: Context,
  events: readonly PlacedEvent[],
  rejected: RejectedEvent[],
): Promise<PlacedEvent[]> {
  const visitors = new Set(events.flatMap((event) => (event.memberId ? [] : (event.anonymousId ?? []))));
  const known = visitors.size > 0 ? await identitiesOf(ctx, [...visitors]) : new Map<string, string>();
  const memberOf = ({ memberId, anonymousId }: PlacedEvent): string | null =>
    memberId ?? (anonymousId === null ? null : (known.get(anonymousId) ?? null));
  const ids = [...new Set(events.flatMap((event) => memberOf(event) ?? []))];
  const members = new Map((ids.length > 0 ? await findMembers(ctx, { ids }) : []).map((m) => [m.id, m]));
  return events.flatMap((event) => {
    const memberId = memberOf(event);
    if (memberId === null) return [event];
    const member = members.get(memberId);
    const isFree = member && !member.isRestricted && member.status !== 'DEACTIVATION_PENDING';
    if (isFree) return [{ ...event, memberId }];
    const named = member
      ? 'memberId must not be tracked: its processing is restricted'
      : 'memberId is unknown';
    const error = event.memberId ? named : 'anonymousId must not be tracked';
    rejected.push({ index: event.index, error: `${error}.` });
    return [];
  });
}

/** @returns the number of new events */
async function record(ctx: Context, events: readonly PlacedEvent[]): Promise<number> {
  const isBrowser = ctx.caller.kind === 'PUBLISHABLE' || ctx.caller.kind === 'MEMBER';
  const idsOf = eventIdsOf(ctx, isBrowser ? 'browser' : 'server');
  const rows: NewEvent[] = events.map((event) => ({ ...event, ...idsOf(event.clientId) }));
  const joined = mayIdentify(ctx.caller)
    ? rows.filter(({ memberId, anonymousId }) => memberId && anonymousId)
    : [];
  if (!rows.some(({ memberId }) => memberId)) return (await insertEvents(ctx, rows)).length;
  return ctx.transaction(async (tx) => {
    const inserted = new Set(await insertEvents(tx, rows));
    const earlier = joined.length > 0 ? await identify(tx, joined) : [];
    const late = earlier.filter(isFact).map(({ id }) => id);
    await recordTracked(tx, [
      ...rows.flatMap(({ id, memberId }) => (memberId && inserted.has(id) ? [id] : [])),
      ...earlier.map(({ id }) => id),
    ]);
    const facts = new Set([
      ...rows.filter((row) => inserted.has(row.id) && isFact(row)).map(({ id }) => id),
      ...late,
    ]);
    const parts = [...batches([...facts], FACTS_AT_ONCE)];
    await publishAll(
      tx,
      trackedEventsRecorded,
      parts.map((ids) => ({ eventIds: ids })),
    );
    return inserted.size;
  });
}

/** Whether the caller may identify a visitor as a member. */
const mayIdentify = (caller: Caller): boolean =>
  caller.kind === 'MEMBER' || (caller.kind !== 'PUBLISHABLE' && scopesSuffice(caller, [['members:write']]));

/** Stores which members visitors are. @returns the earlier events that are now assigned to a member */
async function identify(
  tx: Context,
  rows: readonly NewEvent[],
): Promise<Pick<NewEvent, 'id' | 'event' | 'memberId' | 'itemId'>[]> {
  await insertIdentities(tx, rows);
  // Also for visitors who were identified before: an event may have been inserted at the same time as the
  // identification.
  return joinEarlierEvents(tx, rows, firstIdAt(addMs(tx.clock.now(), -ASSIGNED_MS)));
}

const TABLE = 'engagement.tracking_events';

/** Number of future days that have a partition. */
const DAYS_AHEAD = 2;

/** The last day for which this process has checked the partition, in ms since 1970. */
const prepared = new WeakMap<Services['live'], number>();

/**
 * Creates the partitions of today and yesterday if no worker has run for days. Without yesterday's partition,
 * PostgreSQL would search yesterday's duplicates in the only partition that exists.
 */
async function prepareToday(ctx: Context): Promise<void> {
  const today = midnight(ctx.clock.now());
  const { live } = ctx.services;
  if (prepared.get(live) === today.getTime()) return;
  for (const day of [addMs(today, -DAY_MS), today])
    await createDayPartition(ctx.outsideTransaction(), TABLE, day);
  prepared.set(live, today.getTime());
}

/** Creates the partitions of the next days, and drops partitions that are older than TRACKING_DAYS. */
export async function rotateEventDays(ctx: Context): Promise<void> {
  const today = midnight(ctx.clock.now());
  for (let day = 0; day <= DAYS_AHEAD; day += 1)
    await createDayPartition(ctx, TABLE, addMs(today, day * DAY_MS));
  const oldest = addMs(today, -ctx.services.config.TRACKING_DAYS * DAY_MS);
  const days = await partitionDays(ctx, TABLE);
  for (const day of days.filter((each) => each < oldest)) await dropDayPartition(ctx, TABLE, day);
}

/** Returns the tracked events and the visitor ids of a member, for an export. */
export const trackingOfMember = (ctx: Context, memberId: string): Promise<Record<string, unknown>> =>
  memberTracking(ctx, memberId);

/** Deletes the tracked events of an erased member. */
export const eraseTracking = (ctx: Context, memberId: string): Promise<void> =>
  deleteMemberTracking(ctx, memberId);

/** A tracked event in the form of the model. */
interface TrackedFact {
  readonly id: string;
  readonly memberId: string;
  readonly type: string;
  readonly itemId: string;
  readonly value: number | null;
  readonly occurredAt: Date;
}

/** Returns the events that the model ingests. */
export async function trackedFacts(ctx: Context, eventIds: readonly string[]): Promise<TrackedFact[]> {
  const events = await findTrackedFacts(ctx, eventIds, Object.keys(factTypes));
  return events.filter(isFact).map(({ id, event, memberId, itemId, value, occurredAt }) => {
    const [of, about] = [
      { id, memberId: memberId! },
      { itemId: itemId!, value },
    ];
    return { ...of, ...about, type: factTypes[event]!, occurredAt };
  });
}

/** The model's fact type for each event name that it ingests. */
const factTypes: Readonly<Record<string, string>> = { view: 'view', add_to_cart: 'cart_add' };

/** Whether the model ingests the event: it must have a member and a product. */
const isFact = (event: {
  readonly event: string;
  readonly memberId: string | null;
  readonly itemId: string | null;
}): boolean => Object.hasOwn(factTypes, event.event) && event.memberId !== null && event.itemId !== null;
