import type { Context } from '@loyalty/platform/context';
import { type JourneyDefinition, type JourneyNode, waitingTypes } from '../journeys/journey-definition.ts';
import { versionOf } from '../journeys/journeys.service.ts';
import { ATTEMPTS_MAX, type JourneyRun, type NodeCount, type RunStatus } from './run.ts';

/** A version with its nodes by id. */
export interface JourneyGraph {
  readonly definition: JourneyDefinition;
  readonly nodes: ReadonlyMap<string, JourneyNode>;
}

const graphs = new WeakMap<JourneyDefinition, JourneyGraph>();

/** @throws AppError JOURNEY_VERSION_NOT_FOUND (404) */
async function graphOf(ctx: Context, journeyId: string, version: number): Promise<JourneyGraph> {
  const { definition } = await versionOf(ctx, journeyId, version);
  const known = graphs.get(definition);
  if (known) return known;
  const graph = { definition, nodes: new Map(definition.nodes.map((node) => [node.id, node])) };
  graphs.set(definition, graph);
  return graph;
}

/** Returns the graphs of these versions, by `versionKey`. Those that are not cached load together. */
export async function graphsOf(
  ctx: Context,
  versions: readonly { readonly journeyId: string; readonly version: number }[],
): Promise<ReadonlyMap<string, JourneyGraph>> {
  const wanted = new Map(versions.map((version) => [versionKey(version), version]));
  const found = [...wanted].map(
    async ([key, { journeyId, version }]) => [key, await graphOf(ctx, journeyId, version)] as const,
  );
  return new Map(await Promise.all(found));
}

export const versionKey = (of: { readonly journeyId: string; readonly version: number }): string =>
  `${of.journeyId} ${of.version}`;

/** A run while a worker moves it from node to node. */
export interface Walk {
  run: JourneyRun;
  readonly graph: JourneyGraph;
  /** The run continues in this batch. */
  isMoving: boolean;
  /** The run has just reached a node that waits. */
  isArriving: boolean;
}

/** The result of a node for a walk. */
export type NodeResult =
  | {
      /** The next node; null ends the journey. */
      readonly next: string | null;
      readonly outcome: string;
      /** The message of the node was queued. */
      readonly isSent?: boolean;
    }
  | {
      /** The run waits until this time. */
      readonly until: Date;
      /** Or until this event occurs. */
      readonly waitsFor: string | null;
    }
  | {
      /** The reason of a later retry. */
      readonly retryFor: string;
      readonly at: Date;
    };

export const walkOf = (run: JourneyRun, graph: JourneyGraph): Walk => ({
  run,
  graph,
  isMoving: true,
  isArriving: false,
});

/** Counts the outcomes of nodes until they are written. */
export interface NodeCounter {
  add(run: JourneyRun, nodeId: string, outcome: string): void;
  counts(): NodeCount[];
}

export function nodeCounter(): NodeCounter {
  const found = new Map<string, { -readonly [Key in keyof NodeCount]: NodeCount[Key] }>();
  return {
    add({ journeyId, version }, nodeId, outcome) {
      const key = `${journeyId} ${version} ${nodeId} ${outcome}`;
      const known = found.get(key);
      if (known) known.count += 1;
      else found.set(key, { journeyId, version, nodeId, outcome, count: 1 });
    },
    counts: () => [...found.values()],
  };
}

/** Returns the fields of a run that ends at its node. */
export const endedRun = (
  run: JourneyRun,
  status: Exclude<RunStatus, 'ACTIVE'>,
  reason: string | null,
  now: Date,
): JourneyRun => ({ ...run, status, reason, dueAt: null, waitsFor: null, endedAt: now });

export function endWalk(
  walk: Walk,
  counter: NodeCounter,
  end: { status: Exclude<RunStatus, 'ACTIVE'>; reason: string | null; now: Date },
): void {
  counter.add(walk.run, walk.run.nodeId, end.status);
  walk.run = endedRun(walk.run, end.status, end.reason, end.now);
  walk.isMoving = false;
}

/** Moves a walk to a node; null ends the journey. */
export function goTo(walk: Walk, nodeId: string | null, counter: NodeCounter, now: Date): void {
  const step = walk.run.step + 1;
  if (nodeId === null) {
    walk.run = { ...walk.run, step };
    endWalk(walk, counter, { status: 'COMPLETED', reason: null, now });
    return;
  }
  const node = walk.graph.nodes.get(nodeId);
  walk.run = { ...walk.run, nodeId, arrivedAt: now, step, dueAt: now, waitsFor: null, attempts: 0 };
  counter.add(walk.run, nodeId, 'ENTERED');
  if (node) walk.isArriving = waitingTypes.has(node.type);
  else endWalk(walk, counter, { status: 'FAILED', reason: 'NODE_NOT_FOUND', now });
}

/** Applies the result of its node to a walk. */
export function applyResult(
  walk: Walk,
  node: JourneyNode,
  result: NodeResult,
  counter: NodeCounter,
  now: Date,
): void {
  if ('until' in result) {
    walk.run = { ...walk.run, dueAt: result.until, waitsFor: result.waitsFor };
    walk.isMoving = false;
    walk.isArriving = false;
    return;
  }
  if ('retryFor' in result) {
    const attempts = walk.run.attempts + 1;
    walk.run = { ...walk.run, attempts, dueAt: result.at };
    walk.isMoving = false;
    if (attempts >= ATTEMPTS_MAX) endWalk(walk, counter, { status: 'FAILED', reason: result.retryFor, now });
    return;
  }
  counter.add(walk.run, node.id, result.outcome);
  if (result.isSent) walk.run = { ...walk.run, sentNodes: [...walk.run.sentNodes, node.id] };
  goTo(walk, result.next, counter, now);
}
