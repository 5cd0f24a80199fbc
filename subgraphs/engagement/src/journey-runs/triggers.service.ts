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
import { keepStatuses, lockRuns, type MovingJourney, moveRuns } from './runs.service.ts';
import { type HearingRun, hear, mustWait } from './take-event.ts';
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

/** Live channel that wakes who takes events for journeys. */
export const TRIGGERS_CHANNEL = 'journey-triggers';

/** An event that fails for so long is given up, so that it does not hold up what comes after it, in ms. */
const GIVEN_UP_MS = 10 * MINUTE_MS;

/** Events of a workspace and mode that one transaction takes. */
const BATCH = 500;

/** Keeps the events to which a journey listens. */
export async function keepTriggerEvents(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  const ofMembers = events.filter(({ payload }) => {
    const { memberId } = payload as { readonly memberId?: unknown };
    return typeof memberId === 'string' && isUuid(memberId);
  });
  if (ofMembers.length === 0 || !(await insertTriggerEvents(tx, ofMembers))) return;
  tx.afterCommit(() => tx.services.live.publish(TRIGGERS_CHANNEL, 'new'));
}

/**
 * Lets journeys have the events that wait, a batch of each workspace and mode.
 *
 * @param ctx - the product itself, of no workspace
 * @returns how many events were taken, and whether there were any
 * @throws what failed in one of the workspaces
 */
export async function takeTriggerEvents(
  ctx: Context,
): Promise<{ readonly taken: number; readonly isSome: boolean }> {
  let taken = 0;
  const failures: unknown[] = [];
  const scopes = await scopesWithEvents(ctx);
  for (const scope of scopes) {
    const scoped = ctx.as(systemCaller('take-trigger-events', scope));
    // What fails in one workspace must not hold up the others.
    taken += await takeInScope(scoped, BATCH).catch((error) => {
      failures.push(error);
      // Not all of them may be at fault.
      return takeInScope(scoped, 1, addMs(ctx.clock.now(), -GIVEN_UP_MS)).catch(() => 0);
    });
  }
  if (failures.length > 0) throw failures[0];
  return { taken, isSome: scopes.length > 0 };
}

/** @param giveUpTo - events of that time and before are left to nobody if they cannot be taken */
async function takeInScope(ctx: Context, size: number, giveUpTo: Date | null = null): Promise<number> {
  let events: readonly TriggerEvent[] | null = null;
  try {
    return await ctx.transaction(async (tx) => {
      events = await lockTriggerEvents(tx, size);
      if (!events || events.length === 0) return 0;
      const listeners = await listenersTo(tx, [...new Set(events.map(({ type }) => type))]);
      // Journeys are locked before runs, everywhere.
      const journeys = await keepStatuses(
        tx,
        listeners.map(({ journeyId }) => journeyId),
      );
      const taken = await hearEvents(tx, { events, listeners, journeys });
      await deleteTriggerEvents(tx, idsOf(taken));
      return taken.length;
    });
  } catch (error) {
    // That the database was busy is no fault of an event.
    const isAway = isTransient(readAppError(error as Error, ctx));
    const old = isAway
      ? []
      : (events ?? []).filter(({ occurredAt }: TriggerEvent) => giveUpTo && occurredAt <= giveUpTo);
    if (old.length > 0) await deleteTriggerEvents(ctx, idsOf(old));
    throw error;
  }
}

const idsOf = (events: readonly TriggerEvent[]): string[] => events.map(({ id }) => id);

interface Heard {
  readonly events: readonly TriggerEvent[];
  readonly listeners: readonly Listener[];
  readonly journeys: readonly MovingJourney[];
}

/** Returns the events that were taken; the others wait for a run that is being moved, or for one of those. */
async function hearEvents(tx: Context, heard: Heard): Promise<TriggerEvent[]> {
  const { events, listeners, journeys } = heard;
  const now = tx.clock.now();
  const counter = nodeCounter();
  const hearing = await hearingRuns(tx, heard);
  const entries = new Map<MovingJourney, RunEntry[]>();
  const entriesOf = await entryListeners(tx, listeners, journeys);
  const waiting = new Set<string>();
  const taken: TriggerEvent[] = [];
  for (const event of events) {
    const { memberId, type } = event;
    const ofMember = (hearing.get(memberId) ?? []).filter(
      ({ run }) => rolesOf(listeners, run.journeyId, type).size,
    );
    if (waiting.has(memberId) || ofMember.some((one) => mustWait(one, event, now))) {
      waiting.add(memberId);
      continue;
    }
    for (const one of ofMember)
      hear(one, event, rolesOf(listeners, one.run.journeyId, type), { counter, now });
    for (const journey of entriesOf(event)) {
      entries.set(journey, [...(entries.get(journey) ?? []), runEntryOf(event)]);
      // What follows concerns the run that now begins.
      waiting.add(memberId);
    }
    taken.push(event);
  }
  await writeHeard(tx, [...hearing.values()].flat(), counter.counts());
  for (const [journey, wanted] of entries) await enterJourney(tx, journey, wanted);
  return taken;
}

/** Each event counts once; so does each entry into a segment. */
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

/** The runs of the members of the events, by member, in the journeys that listen. */
async function hearingRuns(
  tx: Context,
  { events, journeys }: Heard,
): Promise<ReadonlyMap<string, HearingRun[]>> {
  const ids = journeys.map(({ id }) => id);
  const memberIds = [...new Set(events.map(({ memberId }) => memberId))];
  const runs = await lockRuns(tx, ids, memberIds);
  const graphs = await graphsOf(tx, runs);
  const active = new Set(journeys.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id));
  const hearing = runs.map((run) => ({
    run,
    graph: graphs.get(versionKey(run))!,
    isJourneyActive: active.has(run.journeyId),
    isChanged: false,
  }));
  return Map.groupBy(hearing, ({ run }) => run.memberId);
}

/** Finds the active journeys that an event lets its member enter. */
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

async function writeHeard(
  tx: Context,
  hearing: readonly HearingRun[],
  counts: Parameters<typeof moveRuns>[2],
): Promise<void> {
  const changed = hearing.filter(({ isChanged }) => isChanged).map(({ run }) => run);
  if (changed.length === 0) return;
  await moveRuns(tx, changed, counts);
  tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
}

/** Deletes the events of a member who was erased. */
export const forgetTriggerEvents = (ctx: Context, memberId: string): Promise<void> =>
  deleteEventsOfMember(ctx, memberId);
