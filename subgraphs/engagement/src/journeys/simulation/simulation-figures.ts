import type { JourneyNode } from '../definition/journey-definition.ts';
import type { EndKind, SimulatedWay } from './simulated-walk.ts';

/** What a node would do for the members of a sample. */
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

/** Where and why members would leave. */
export interface SimulatedEnd {
  readonly nodeId: string;
  readonly kind: EndKind;
  readonly members: number;
  readonly share: number;
}

/** How often each text comes, the most frequent first. */
function tally(texts: readonly string[]): [text: string, count: number][] {
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
    skips: tally(steps.flatMap(({ skip }) => skip ?? [])).map(([reason, count]) => ({ reason, count })),
    branches: tally(steps.flatMap(({ branch }) => branch ?? [])).map(([key, count]) => ({ key, count })),
    isTimeoutAssumed,
  };
}

export const simulatedEnds = (ways: readonly SimulatedWay[]): SimulatedEnd[] =>
  tally(ways.map(({ end }) => `${end.kind} ${end.nodeId}`)).map(([text, members]) => {
    const [kind, nodeId] = text.split(' ') as [EndKind, string];
    return { nodeId, kind, members, share: members / ways.length };
  });

/** Nearest rank, in seconds; null without ways. */
export function simulatedDuration(ways: readonly SimulatedWay[]) {
  const sorted = ways.map(({ durationMs }) => durationMs / 1_000).toSorted((one, other) => one - other);
  const percentile = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]!;
  if (sorted.length === 0) return null;
  return { p50Seconds: percentile(0.5), p90Seconds: percentile(0.9), p99Seconds: percentile(0.99) };
}
