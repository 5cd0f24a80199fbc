import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { entryOf, exitsOf, meetsTrigger, type TriggerRole } from '../journeys/event-triggers.ts';
import type { LockedRun } from './runs.service.ts';
import type { TriggerEvent } from './trigger-events.store.ts';
import { endedRun, type JourneyGraph, type NodeCounter } from './walk.ts';

/** A run that an event may move. */
export interface HearingRun {
  run: LockedRun;
  readonly graph: JourneyGraph;
  readonly isJourneyActive: boolean;
  isChanged: boolean;
}

/** An event waits no longer than this for a run that is due and that nobody moves, in ms. */
const DEFERRED_MAX_MS = 60 * MINUTE_MS;

/**
 * Must the event wait? A worker may be moving the run to a node that waits for it, or to its end, after which
 * the event lets the member enter again.
 *
 * @param event - to which the journey of the run listens
 */
export function mustWait(
  { run, graph, isJourneyActive }: HearingRun,
  event: TriggerEvent,
  now: Date,
): boolean {
  if (run.endedAt || !isJourneyActive) return false;
  // What it waits for ends the wait, also while a worker has it.
  if (run.waitsFor === event.type) return false;
  const isLeased = run.leasedUntil !== null && run.leasedUntil > now;
  const isDue = run.dueAt !== null && run.dueAt <= now;
  const isFresh = now.getTime() - event.occurredAt.getTime() <= DEFERRED_MAX_MS;
  return (
    (isLeased || (isDue && isFresh)) &&
    (waitsSomewhere(graph, event) || meetsTrigger(entryOf(graph.definition), event))
  );
}

const waitsSomewhere = ({ definition }: JourneyGraph, event: TriggerEvent): boolean =>
  definition.nodes.some((node) => node.type === 'waitForEvent' && meetsTrigger(node.event, event));

/**
 * Lets a run have an event: it ends at its goal or by a rule, or goes on if it waits for the event.
 *
 * @param roles - as which the journey listens to the type
 */
export function hear(
  hearing: HearingRun,
  event: TriggerEvent,
  roles: ReadonlySet<TriggerRole>,
  { counter, now }: { readonly counter: NodeCounter; readonly now: Date },
): void {
  const { run } = hearing;
  if (run.endedAt || event.occurredAt < run.enteredAt) return;
  const status = endBy(hearing.graph, event, roles);
  if (status) {
    if (run.nodeId !== '') counter.add(run, run.nodeId, status);
    const reason = status === 'EXITED' ? event.type : null;
    hearing.run = { ...run, ...endedRun(run, status, reason, now) };
  } else if (isWaitedFor(hearing, event)) hearing.run = { ...run, waitsFor: null, dueAt: now };
  if (hearing.run !== run) hearing.isChanged = true;
}

/** How an event ends a run; null where it does not. */
function endBy(
  { definition }: JourneyGraph,
  event: TriggerEvent,
  roles: ReadonlySet<TriggerRole>,
): 'GOAL_REACHED' | 'EXITED' | null {
  const { goal } = definition;
  if (roles.has('GOAL') && goal && 'event' in goal && meetsTrigger(goal.event, event)) return 'GOAL_REACHED';
  const isExit = roles.has('EXIT') && exitsOf(definition).some((trigger) => meetsTrigger(trigger, event));
  return isExit ? 'EXITED' : null;
}

/** Has the run waited for the event since it came to its node? */
function isWaitedFor({ run, graph }: HearingRun, event: TriggerEvent): boolean {
  if (run.waitsFor !== event.type || event.occurredAt < run.arrivedAt) return false;
  const node = graph.nodes.get(run.nodeId);
  return node?.type === 'waitForEvent' && meetsTrigger(node.event, event);
}
