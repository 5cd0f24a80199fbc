import { addMs, MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { AppError, isTransient } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { membersMeeting, resolveCondition } from '../conditions/conditions.service.ts';
import type { JourneyNode } from '../journeys/journey-definition.ts';
import {
  afterCondition,
  afterDelay,
  afterDelayUntil,
  afterExit,
  afterWaitForEvent,
  type NodeGroup,
  type NodeResults,
  resultsBy,
  split,
} from './flow-nodes.service.ts';
import { performAction } from './journey-actions.ts';
import type { JourneyRun, NodeCount } from './run.ts';
import type { MovingJourney } from './runs.store.ts';
import {
  applyResult,
  endWalk,
  goTo,
  graphsOf,
  type JourneyGraph,
  type NodeCounter,
  type NodeResult,
  nodeCounter,
  versionKey,
  type Walk,
  walkOf,
} from './walk.ts';

/** A safety limit. Every cycle of a graph has a node that waits, so it is never reached. */
const PASSES_MAX = 1_000;
const BACKOFF_MS = 5 * SECOND_MS;
const BACKOFF_MAX_MS = 10 * MINUTE_MS;

/** The runs after a batch, and the outcomes of nodes. */
export interface Advanced {
  readonly runs: readonly JourneyRun[];
  readonly counts: readonly NodeCount[];
}

/**
 * Moves runs of one workspace up to the next node that waits, and performs the actions on their way. A pass
 * handles all runs at a node together. Only actions write.
 *
 * @param runs - due runs, locked in the caller's transaction
 * @param journeys - of the runs; their statuses are locked until the transaction ends
 */
export async function advanceRuns(
  tx: Context,
  journeys: readonly MovingJourney[],
  runs: readonly JourneyRun[],
): Promise<Advanced> {
  const journeyById = new Map(journeys.map((journey) => [journey.id, journey]));
  const graphs = await graphsOf(tx, runs);
  const walks = runs.map((run) => walkOf(run, graphs.get(versionKey(run))!));
  const counter = nodeCounter();
  stopInactive(walks, journeyById, counter, tx.clock.now());
  await endAtGoals(tx, walks, counter);
  begin(walks, counter, tx.clock.now());
  for (let pass = 0; walks.some(({ isMoving }) => isMoving); pass += 1) {
    if (pass === PASSES_MAX) throw new Error('A graph without a wait has a cycle.');
    for (const [, group] of Map.groupBy(
      walks.filter(({ isMoving }) => isMoving),
      placeOf,
    ))
      await passNode(tx, journeyById, group, counter);
  }
  return { runs: walks.map(({ run }) => run), counts: counter.counts() };
}

const placeOf = ({ run }: Walk): string => `${versionKey(run)} ${run.nodeId}`;

/** Holds runs of paused journeys until they are resumed, and ends runs of ended journeys. */
function stopInactive(
  walks: readonly Walk[],
  journeys: ReadonlyMap<string, MovingJourney>,
  counter: NodeCounter,
  now: Date,
): void {
  for (const walk of walks) {
    const status = journeys.get(walk.run.journeyId)?.status ?? 'ENDED';
    if (status === 'ACTIVE') continue;
    walk.isMoving = false;
    if (status === 'ENDED') endWalk(walk, counter, { status: 'EXITED', reason: 'JOURNEY_ENDED', now });
    else walk.run = { ...walk.run, dueAt: null };
  }
}

/** Ends the runs of members who meet the condition of the goal. */
async function endAtGoals(tx: Context, walks: readonly Walk[], counter: NodeCounter): Promise<void> {
  const moving = walks.filter(({ isMoving }) => isMoving);
  for (const [, ofVersion] of Map.groupBy(moving, ({ run }) => versionKey(run))) {
    const { goal } = ofVersion[0]!.graph.definition;
    if (!goal || 'event' in goal) continue;
    const resolved = await resolveCondition(tx, goal.condition);
    const ids = ofVersion.map(({ run }) => run.memberId);
    const meeting = await membersMeeting(tx, resolved, ids);
    const now = tx.clock.now();
    for (const walk of ofVersion)
      if (meeting.has(walk.run.memberId))
        endWalk(walk, counter, { status: 'GOAL_REACHED', reason: null, now });
  }
}

function begin(walks: readonly Walk[], counter: NodeCounter, now: Date): void {
  for (const walk of walks)
    if (walk.isMoving && walk.run.nodeId === '') goTo(walk, walk.graph.definition.start, counter, now);
}

/** Executes a node for all walks at it. */
async function passNode(
  tx: Context,
  journeys: ReadonlyMap<string, MovingJourney>,
  walks: readonly Walk[],
  counter: NodeCounter,
): Promise<void> {
  const { run, graph } = walks[0]!;
  const node = nodeAt(graph, run.nodeId);
  if (!node) {
    const end = { status: 'FAILED', reason: 'NODE_NOT_FOUND', now: tx.clock.now() } as const;
    for (const walk of walks) endWalk(walk, counter, end);
    return;
  }
  const { kind } = journeys.get(run.journeyId)!;
  const results = await resultsOf(tx, { journeyId: run.journeyId, kind, node, walks });
  const now = tx.clock.now();
  for (const walk of walks) applyResult(walk, node, results.get(walk.run.id)!, counter, now);
}

const nodeAt = ({ nodes }: JourneyGraph, id: string): JourneyNode | undefined => nodes.get(id);

/**
 * Returns the results of a node. After a permanent error all walks skip the node, with the reason; after a
 * transient error they retry later.
 */
async function resultsOf(tx: Context, group: NodeGroup<JourneyNode>): Promise<NodeResults> {
  try {
    return await dispatch(tx, group);
  } catch (error) {
    if (!(error instanceof AppError) || error.category === 'INTERNAL_SERVER_ERROR') throw error;
    const { code } = error;
    const now = tx.clock.now();
    const away = isTransient(error);
    return resultsBy(group.walks, ({ run }): NodeResult => {
      if (away) return { retryFor: code, at: addMs(now, backoffMs(run.attempts)) };
      return { next: 'next' in group.node ? group.node.next : null, outcome: `SKIPPED:${code}` };
    });
  }
}

export const backoffMs = (attempts: number): number =>
  Math.min(BACKOFF_MS * 2 ** Math.min(attempts, 20), BACKOFF_MAX_MS);

function dispatch(tx: Context, group: NodeGroup<JourneyNode>): Promise<NodeResults> {
  const { node } = group;
  switch (node.type) {
    case 'delay':
      return afterDelay(tx, { ...group, node });
    case 'delayUntil':
      return afterDelayUntil(tx, { ...group, node });
    case 'waitForEvent':
      return afterWaitForEvent(tx, { ...group, node });
    case 'condition':
      return afterCondition(tx, { ...group, node });
    case 'split':
      return split(tx, { ...group, node });
    case 'exit':
      return afterExit(tx, group);
    default:
      return performAction(tx, { ...group, node });
  }
}
