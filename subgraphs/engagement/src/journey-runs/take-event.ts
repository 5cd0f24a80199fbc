import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { entryOf, exitsOf, meetsTrigger, type TriggerRole } from '../journeys/event-triggers.ts';
import type { LockedRun } from './runs.service.ts';
import type { TriggerEvent } from './trigger-events.store.ts';
import { endedRun, type JourneyGraph, type NodeCounter } from './walk.ts';

/** A run that an event may move. */
export interface AffectedRun {
  run: LockedRun;
  readonly graph: JourneyGraph;
  readonly isJourneyActive: boolean;
  isChanged: boolean;
}

/** Maximum time that an event waits for a due run that no worker moves. */
const DEFERRED_MAX_MS = 60 * MINUTE_MS;

/**
 * Whether the event must wait for the run. A worker may be moving the run to a node that waits for the event,
 * or to its end, after which the event lets the member enter again.
 *
 * @param event - an event that the journey of the run listens to
 */
export function mustWait(
  { run, graph, isJourneyActive }: AffectedRun,
  event: TriggerEvent,
  now: Date,
): boolean {
  if (run.endedAt || !isJourneyActive) return false;
  // An awaited event is applied immediately, even while a worker has claimed the run.
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
 * Applies an event to a run: the run ends at its goal or by an exit, or continues if it waits for the event.
 *
 * @param roles - the roles of the event's type in the journey
 */
export function applyEvent(
  affected: AffectedRun,
  event: TriggerEvent,
  roles: ReadonlySet<TriggerRole>,
  { counter, now }: { readonly counter: NodeCounter; readonly now: Date },
): void {
  const { run } = affected;
  if (run.endedAt || event.occurredAt < run.enteredAt) return;
  const status = endBy(affected.graph, event, roles);
  if (status) {
    if (run.nodeId !== '') counter.add(run, run.nodeId, status);
    const reason = status === 'EXITED' ? event.type : null;
    affected.run = { ...run, ...endedRun(run, status, reason, now) };
  } else if (isWaitedFor(affected, event)) affected.run = { ...run, waitsFor: null, dueAt: now };
  if (affected.run !== run) affected.isChanged = true;
}

/** Returns the status with which an event ends a run; null if it does not end it. */
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

/** Whether the run was waiting for the event when it occurred. */
function isWaitedFor({ run, graph }: AffectedRun, event: TriggerEvent): boolean {
  if (run.waitsFor !== event.type || event.occurredAt < run.arrivedAt) return false;
  const node = graph.nodes.get(run.nodeId);
  return node?.type === 'waitForEvent' && meetsTrigger(node.event, event);
}
