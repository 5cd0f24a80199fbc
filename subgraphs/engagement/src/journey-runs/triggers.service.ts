import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { isTransient } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import { entryOf, meetsTrigger, SEGMENT_ENTERED, type TriggerRole } from '../journeys/event-triggers.ts';
import { enterJourney, type RunEntry } from './enter-runs.service.ts';
import { RUNS_CHANNEL } from './run.ts';
import { lockRuns, lockStatuses, type MovingJourney, moveRuns } from './runs.service.ts';
import { type AffectedRun, applyEvent, mustWait } from './take-event.ts';
import {
  deleteEventsOfMember,
  deleteTriggerEvents,
  insertTriggerEvents,
  type Listener,
  listenersTo,
  lockTriggerEvents,
  scopesWithEvents,
  type TriggerEvent,
} from './trigger-events.store.ts';
import { graphsOf, nodeCounter, versionKey } from './walk.ts';

/** Live channel that wakes the workers that apply events to journeys. */
export const TRIGGERS_CHANNEL = 'journey-triggers';

/** Time after which a failing event is dropped, so that it does not block later events. */
const DROPPED_AFTER_MS = 10 * MINUTE_MS;

/** Batch size: events of a workspace and mode per transaction. */
const BATCH = 500;

/** Stores the events that a journey listens to. */
export async function keepTriggerEvents(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const ofMembers = events.filter(({ payload }) => {
    const { memberId } = payload as { readonly memberId?: unknown };
    return typeof memberId === 'string' && isUuid(memberId);
  });
  if (ofMembers.length === 0 || !(await insertTriggerEvents(tx, ofMembers))) return;
  tx.afterCommit(() => tx.services.live.publish(TRIGGERS_CHANNEL, 'new'));
}

/**
 * Applies waiting events to journeys, a batch of each workspace and mode.
 *
 * @param ctx - a context of the product, without a workspace
 * @returns the number of applied events, and whether there were any
 * @throws the first error of a workspace
 */
export async function takeTriggerEvents(
  ctx: Context,
): Promise<{ readonly taken: number; readonly hasEvents: boolean }> {
  let taken = 0;
  const failures: unknown[] = [];
  const scopes = await scopesWithEvents(ctx);
  for (const scope of scopes) {
    const scoped = ctx.as(systemCaller('take-trigger-events', scope));
    // A failure in one workspace must not delay the others.
    taken += await takeInScope(scoped, BATCH).catch((error) => {
      failures.push(error);
      // Perhaps only one event of the batch causes the failure.
      return takeInScope(scoped, 1, addMs(ctx.clock.now(), -DROPPED_AFTER_MS)).catch(() => 0);
    });
  }
  if (failures.length > 0) throw failures[0];
  return { taken, hasEvents: scopes.length > 0 };
}

/** @param dropUntil - events of this time and before are dropped if they cannot be applied */
async function takeInScope(ctx: Context, size: number, dropUntil: Date | null = null): Promise<number> {
  let events: readonly TriggerEvent[] | null = null;
  try {
    return await ctx.transaction(async (tx) => {
      events = await lockTriggerEvents(tx, size);
      if (!events || events.length === 0) return 0;
      const listeners = await listenersTo(tx, [...new Set(events.map(({ type }) => type))]);
      // Lock order: journeys before runs.
      const journeys = await lockStatuses(
        tx,
        listeners.map(({ journeyId }) => journeyId),
      );
      const taken = await applyEvents(tx, { events, listeners, journeys });
      await deleteTriggerEvents(tx, idsOf(taken));
      return taken.length;
    });
  } catch (error) {
    // An unavailable database is not caused by an event.
    const isUnavailable = isTransient(readAppError(error as Error, ctx));
    const old = isUnavailable
      ? []
      : (events ?? []).filter(({ occurredAt }: TriggerEvent) => dropUntil && occurredAt <= dropUntil);
    if (old.length > 0) await deleteTriggerEvents(ctx, idsOf(old));
    throw error;
  }
}

const idsOf = (events: readonly TriggerEvent[]): string[] => events.map(({ id }) => id);

interface EventBatch {
  readonly events: readonly TriggerEvent[];
  readonly listeners: readonly Listener[];
  readonly journeys: readonly MovingJourney[];
}

/**
 * Applies events and returns the applied ones. The others wait for a run that is being moved, or for an
 * earlier event.
 */
async function applyEvents(tx: Context, batch: EventBatch): Promise<TriggerEvent[]> {
  const { events, listeners, journeys } = batch;
  const now = tx.clock.now();
  const counter = nodeCounter();
  const affected = await affectedRuns(tx, batch);
  const entries = new Map<MovingJourney, RunEntry[]>();
  const entriesOf = await entryListeners(tx, listeners, journeys);
  const waiting = new Set<string>();
  const taken: TriggerEvent[] = [];
  for (const event of events) {
    const { memberId, type } = event;
    const ofMember = (affected.get(memberId) ?? []).filter(
      ({ run }) => rolesOf(listeners, run.journeyId, type).size,
    );
    if (waiting.has(memberId) || ofMember.some((one) => mustWait(one, event, now))) {
      waiting.add(memberId);
      continue;
    }
    for (const one of ofMember)
      applyEvent(one, event, rolesOf(listeners, one.run.journeyId, type), { counter, now });
    for (const journey of entriesOf(event)) {
      entries.set(journey, [...(entries.get(journey) ?? []), runEntryOf(event)]);
      // Later events of the member concern the new run, which does not exist yet.
      waiting.add(memberId);
    }
    taken.push(event);
  }
  await writeAffected(tx, [...affected.values()].flat(), counter.counts());
  for (const [journey, wanted] of entries) await enterJourney(tx, journey, wanted);
  return taken;
}

/** The entry of an event. Each event counts once, as does each entry into a segment. */
const runEntryOf = ({ id, type, memberId, payload, occurredAt }: TriggerEvent): RunEntry => ({
  memberId,
  entryKey: type === SEGMENT_ENTERED ? `segment:${occurredAt.toISOString()}` : id,
  trigger: payload,
  at: occurredAt,
});

function rolesOf(listeners: readonly Listener[], journeyId: string, type: string): ReadonlySet<TriggerRole> {
  const roles = listeners.filter((one) => one.journeyId === journeyId && one.type === type);
  return new Set(roles.map(({ role }) => role));
}

/** Returns the runs of the events' members in the listening journeys, by member. */
async function affectedRuns(
  tx: Context,
  { events, journeys }: EventBatch,
): Promise<ReadonlyMap<string, AffectedRun[]>> {
  const ids = journeys.map(({ id }) => id);
  const memberIds = [...new Set(events.map(({ memberId }) => memberId))];
  const runs = await lockRuns(tx, ids, memberIds);
  const graphs = await graphsOf(tx, runs);
  const active = new Set(journeys.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
  const affected = runs.map((run) => ({
    run,
    graph: graphs.get(versionKey(run))!,
    isJourneyActive: active.has(run.journeyId),
    isChanged: false,
  }));
  return Map.groupBy(affected, ({ run }) => run.memberId);
}

/** Returns a function that finds the active journeys that an event's member enters. */
async function entryListeners(
  tx: Context,
  listeners: readonly Listener[],
  journeys: readonly MovingJourney[],
): Promise<(event: TriggerEvent) => readonly MovingJourney[]> {
  const entered = new Set(listeners.filter(({ role }) => role === 'ENTRY').map((one) => one.journeyId));
  const open = journeys.flatMap((journey) => {
    const { id: journeyId, status, version } = journey;
    if (status !== 'ACTIVE' || version === null || !entered.has(journeyId)) return [];
    return [{ journey, journeyId, version }];
  });
  const graphs = await graphsOf(tx, open);
  const triggers = open.map((one) => ({
    journey: one.journey,
    event: entryOf(graphs.get(versionKey(one))!.definition),
  }));
  return (event) => triggers.filter((one) => meetsTrigger(one.event, event)).map(({ journey }) => journey);
}

async function writeAffected(
  tx: Context,
  affected: readonly AffectedRun[],
  counts: Parameters<typeof moveRuns>[2],
): Promise<void> {
  const changed = affected.filter(({ isChanged }) => isChanged).map(({ run }) => run);
  if (changed.length === 0) return;
  await moveRuns(tx, changed, counts);
  tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
}

/** Deletes the events of an erased member. */
export const eraseTriggerEvents = (ctx: Context, memberId: string): Promise<void> =>
  deleteEventsOfMember(ctx, memberId);
