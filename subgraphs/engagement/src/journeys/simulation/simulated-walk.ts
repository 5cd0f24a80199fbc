import { branchOf } from '../definition/branches.ts';
import type { JourneyDefinition, JourneyNode } from '../definition/journey-definition.ts';
import { durationMs, nextTimeOf } from '../definition/waiting-times.ts';

/** So often a member may come by a node, since nothing changes while members are simulated. */
const VISITS_MAX = 10;

/** What is known of the members of a sample at one moment. */
export interface SampleFacts {
  /** By which splits are decided. */
  readonly journeyId: string;
  readonly now: Date;
  readonly zones: ReadonlyMap<string, string>;
  /** Who meets the condition of the goal. */
  readonly atGoal: ReadonlySet<string>;
  /** By node: who meets its condition. */
  readonly meeting: ReadonlyMap<string, ReadonlySet<string>>;
  /** By node: after how many ms the event comes for which members wait; without an entry it does not. */
  readonly waits: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By node: why members would not get its message. */
  readonly obstacles: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export type EndKind = 'COMPLETED' | 'GOAL_REACHED' | 'LOOP';

/** A node by which a member came. */
export interface SimulatedStep {
  readonly nodeId: string;
  /** The way out of a node with several. */
  readonly branch?: string;
  /** Of a message: why it is not sent; null where it is. */
  readonly skip?: string | null;
}

export interface SimulatedWay {
  readonly steps: readonly SimulatedStep[];
  readonly end: { readonly nodeId: string; readonly kind: EndKind };
  readonly durationMs: number;
}

/** The way of one member through a graph. */
export function walkThrough(
  { start }: JourneyDefinition,
  nodes: ReadonlyMap<string, JourneyNode>,
  memberId: string,
  facts: SampleFacts,
): SimulatedWay {
  const steps: SimulatedStep[] = [];
  const visits = new Map<string, number>();
  const startMs = facts.now.getTime();
  let [nodeId, atMs] = [start, startMs];
  const ended = (kind: EndKind): SimulatedWay => ({
    steps,
    end: { nodeId, kind },
    durationMs: atMs - startMs,
  });
  if (facts.atGoal.has(memberId)) return ended('GOAL_REACHED');
  for (;;) {
    const visit = (visits.get(nodeId) ?? 0) + 1;
    if (visit > VISITS_MAX) return ended('LOOP');
    visits.set(nodeId, visit);
    const passed = pass(nodes.get(nodeId)!, { memberId, atMs, isFirst: visit === 1 }, facts);
    steps.push({ nodeId, ...passed.shown });
    atMs = passed.atMs;
    if (passed.next === null) return ended('COMPLETED');
    nodeId = passed.next;
  }
}

interface Passing {
  readonly memberId: string;
  readonly atMs: number;
  readonly isFirst: boolean;
}

interface Passed {
  readonly next: string | null;
  readonly atMs: number;
  readonly shown?: Omit<SimulatedStep, 'nodeId'>;
}

/** What one node does for one member. */
function pass(node: JourneyNode, { memberId, atMs, isFirst }: Passing, facts: SampleFacts): Passed {
  switch (node.type) {
    case 'delay':
      return { next: node.next, atMs: atMs + durationMs(node) };
    case 'delayUntil': {
      const zone = facts.zones.get(memberId) ?? 'UTC';
      return { next: node.next, atMs: nextTimeOf(node, zone, new Date(atMs)).getTime() };
    }
    case 'waitForEvent': {
      const afterMs = facts.waits.get(node.id)?.get(memberId);
      if (afterMs !== undefined) return { next: node.next, atMs: atMs + afterMs, shown: { branch: 'event' } };
      return { next: node.otherwise, atMs: atMs + durationMs(node.timeout), shown: { branch: 'timeout' } };
    }
    case 'condition': {
      const isMet = facts.meeting.get(node.id)?.has(memberId) ?? false;
      return { next: isMet ? node.next : node.otherwise, atMs, shown: { branch: isMet ? 'yes' : 'no' } };
    }
    case 'split': {
      const { key, next } = branchOf(facts.journeyId, node, memberId);
      return { next, atMs, shown: { branch: key } };
    }
    case 'email':
    case 'webPush': {
      const obstacle = facts.obstacles.get(node.id)?.get(memberId) ?? null;
      return { next: node.next, atMs, shown: { skip: isFirst ? obstacle : 'ALREADY_SENT' } };
    }
    case 'exit':
      return { next: null, atMs };
    default:
      return { next: node.next, atMs };
  }
}
