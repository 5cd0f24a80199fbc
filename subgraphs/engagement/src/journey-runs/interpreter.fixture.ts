import { meetsTrigger } from '../journeys/event-triggers.ts';
import {
  branchOf,
  durationMs,
  type JourneyDefinition,
  type JourneyNode,
} from '../journeys/journey-definition.ts';

/** The state of one member in one journey. */
export interface Traveller {
  readonly memberId: string;
  /** The member's fields that are true. A condition refers to one field. */
  readonly fields: ReadonlySet<string>;
  isInside: boolean;
  status: string;
  nodeId: string;
  dueMs: number;
  arrivedMs: number;
  readonly sent: Set<string>;
}

interface HeardEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A journey and its outcomes so far. */
interface Story {
  readonly journeyId: string;
  readonly definition: JourneyDefinition;
  readonly holds: (member: Traveller, condition: unknown) => boolean;
  /** Counts by node and outcome. */
  readonly counts: Record<string, number>;
  readonly effects: string[];
}

type Outcome = readonly [outcome: string, next: string | null];

const nodeOf = ({ definition }: Story, id: string): JourneyNode =>
  definition.nodes.find((node) => node.id === id)!;

function count({ counts }: Story, nodeId: string, outcome: string): void {
  const key = `${nodeId} ${outcome}`;
  counts[key] = (counts[key] ?? 0) + 1;
}

function leave(story: Story, one: Traveller, status: string): void {
  one.isInside = false;
  one.status = status;
  count(story, one.nodeId, status);
}

function moveTo(story: Story, one: Traveller, id: string | null, nowMs: number): void {
  if (id === null) {
    leave(story, one, 'COMPLETED');
    return;
  }
  const node = nodeOf(story, id);
  count(story, id, 'ENTERED');
  Object.assign(one, { nodeId: id, arrivedMs: nowMs });
  if (node.type === 'delay') one.dueMs = nowMs + durationMs(node);
  else if (node.type === 'waitForEvent') one.dueMs = nowMs + durationMs(node.timeout);
  else applyOutcome(story, one, outcomeOf(story, one, node), nowMs);
}

function applyOutcome(story: Story, one: Traveller, [outcome, next]: Outcome, nowMs: number): void {
  count(story, one.nodeId, outcome);
  moveTo(story, one, next, nowMs);
}

/** Returns the outcome of a node that does not wait. */
function outcomeOf({ journeyId, holds, effects }: Story, one: Traveller, node: JourneyNode): Outcome {
  if (node.type === 'exit') return ['DONE', null];
  if (node.type === 'split') {
    const { key, next } = branchOf(journeyId, node, one.memberId);
    return [`BRANCH:${key}`, next];
  }
  if (node.type === 'condition') {
    const isMet = holds(one, node.condition);
    return isMet ? ['BRANCH:yes', node.next] : ['BRANCH:no', node.otherwise];
  }
  if (node.type === 'email') {
    const isNew = !one.sent.has(node.id);
    one.sent.add(node.id);
    if (isNew) effects.push(`mail ${node.id} ${one.memberId}`);
    return [isNew ? 'DONE' : 'SKIPPED:ALREADY_SENT', node.next];
  }
  effects.push(`${node.type} ${node.id} ${one.memberId}`);
  return ['DONE', node.next];
}

function enter(story: Story, one: Traveller, nowMs: number): void {
  if (one.isInside) return;
  Object.assign(one, { isInside: true, status: 'ACTIVE' });
  one.sent.clear();
  moveTo(story, one, story.definition.start, nowMs);
}

/** Moves members who are due. */
function pass(story: Story, travellers: readonly Traveller[], nowMs: number): void {
  for (const one of travellers) {
    if (!one.isInside || one.dueMs > nowMs) continue;
    const node = nodeOf(story, one.nodeId);
    if (node.type === 'delay') applyOutcome(story, one, ['DONE', node.next], nowMs);
    else if (node.type === 'waitForEvent')
      applyOutcome(story, one, ['BRANCH:timeout', node.otherwise], nowMs);
  }
}

function hear(story: Story, one: Traveller, event: HeardEvent, nowMs: number): void {
  const { entry, goal, exit = [] } = story.definition;
  if (!one.isInside) {
    if ('event' in entry && meetsTrigger(entry.event, event)) enter(story, one, nowMs);
    return;
  }
  if (goal && 'event' in goal && meetsTrigger(goal.event, event)) {
    leave(story, one, 'GOAL_REACHED');
    return;
  }
  if (exit.some((each) => meetsTrigger(each.event, event))) {
    leave(story, one, 'EXITED');
    return;
  }
  const node = nodeOf(story, one.nodeId);
  if (node.type === 'waitForEvent' && meetsTrigger(node.event, event))
    applyOutcome(story, one, ['BRANCH:event', node.next], nowMs);
}

/** Moves members through a journey one by one, in memory, by the documented rules. */
export function interpreter(
  journeyId: string,
  definition: JourneyDefinition,
  holds: (member: Traveller, condition: unknown) => boolean,
) {
  const story: Story = { journeyId, definition, holds, counts: {}, effects: [] };
  return {
    counts: story.counts,
    effects: story.effects,
    enter: (one: Traveller, nowMs: number) => enter(story, one, nowMs),
    pass: (travellers: readonly Traveller[], nowMs: number) => pass(story, travellers, nowMs),
    hear: (one: Traveller, event: HeardEvent, nowMs: number) => hear(story, one, event, nowMs),
  };
}
