import {
  branchOf,
  durationMs,
  type JourneyDefinition,
  type JourneyNode,
  nextTimeOf,
} from '../journeys/journey-definition.ts';

/**
 * Maximum number of visits of a member to a node, because nothing changes during a simulation and a loop
 * would be endless.
 */
const VISITS_MAX = 10;

/** The facts about the members of a sample at one instant. */
export interface SampleFacts {
  /** The id that decides splits. */
  readonly journeyId: string;
  readonly now: Date;
  readonly zones: ReadonlyMap<string, string>;
  /** Members who meet the condition of the goal. */
  readonly atGoal: ReadonlySet<string>;
  /** By node: members who meet its condition. */
  readonly meeting: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * By node and member: the time until the awaited event, in ms. Without an entry, the event does not occur.
   */
  readonly waits: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By node and member: the reason why the message would not be sent. */
  readonly obstacles: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export type EndKind = 'COMPLETED' | 'GOAL_REACHED' | 'LOOP';

/** A node that a member passed. */
export interface SimulatedStep {
  readonly nodeId: string;
  /** The branch, for a node with several. */
  readonly branch?: string;
  /** For a message: the reason why it is not sent; null if it is sent. */
  readonly skip?: string | null;
}

export interface SimulatedWay {
  readonly steps: readonly SimulatedStep[];
  readonly end: { readonly nodeId: string; readonly kind: EndKind };
  readonly durationMs: number;
}

/** Simulates the path of one member through a graph. */
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

/** Simulates one node for one member. */
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

/** The simulated figures of a node for the members of a sample. */
export interface SimulatedNode {
  readonly nodeId: string;
  readonly type: string;
  readonly label: string;
  readonly entered: number;
  readonly messages: number;
  readonly skips: readonly { readonly reason: string; readonly count: number }[];
  readonly branches: readonly { readonly key: string; readonly count: number }[];
  readonly isTimeoutAssumed: boolean;
}

/** A node and a reason with which members would leave. */
export interface SimulatedEnd {
  readonly nodeId: string;
  readonly kind: EndKind;
  readonly members: number;
  readonly share: number;
}

/** Counts texts, most frequent first. */
function countTexts(texts: readonly string[]): [text: string, count: number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([one, ones], [other, others]) => others - ones || one.localeCompare(other));
}

export function simulatedNode(
  node: JourneyNode,
  ways: readonly SimulatedWay[],
  isTimeoutAssumed: boolean,
): SimulatedNode {
  const steps = ways.flatMap((way) => way.steps.filter(({ nodeId }) => nodeId === node.id));
  return {
    nodeId: node.id,
    type: node.type,
    label: node.label ?? node.id,
    entered: steps.length,
    messages: steps.filter(({ skip }) => skip === null).length,
    skips: countTexts(steps.flatMap(({ skip }) => skip ?? [])).map(([reason, count]) => ({ reason, count })),
    branches: countTexts(steps.flatMap(({ branch }) => branch ?? [])).map(([key, count]) => ({ key, count })),
    isTimeoutAssumed,
  };
}

export const simulatedEnds = (ways: readonly SimulatedWay[]): SimulatedEnd[] =>
  countTexts(ways.map(({ end }) => `${end.kind} ${end.nodeId}`)).map(([text, members]) => {
    const [kind, nodeId] = text.split(' ') as [EndKind, string];
    return { nodeId, kind, members, share: members / ways.length };
  });

/** Percentiles by nearest rank, in seconds; null without paths. */
export function simulatedDuration(ways: readonly SimulatedWay[]) {
  const sorted = ways.map(({ durationMs }) => durationMs / 1_000).toSorted((one, other) => one - other);
  const percentile = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]!;
  if (sorted.length === 0) return null;
  return { p50Seconds: percentile(0.5), p90Seconds: percentile(0.9), p99Seconds: percentile(0.99) };
}
