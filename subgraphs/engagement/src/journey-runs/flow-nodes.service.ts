import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { membersMeeting, resolveCondition } from '../conditions/conditions.service.ts';
import {
  branchOf,
  type ConditionNode,
  type DelayNode,
  type DelayUntilNode,
  durationMs,
  nextTimeOf,
  type SplitNode,
  type WaitForEventNode,
} from '../journeys/journey-definition.ts';
import { timeZonesOf } from './runs.store.ts';
import type { NodeResult, Walk } from './walk.ts';

/** Walks at the same node of the same version. */
export interface NodeGroup<Node> {
  readonly journeyId: string;
  readonly kind: 'JOURNEY' | 'AUTOMATION';
  readonly node: Node;
  readonly walks: readonly Walk[];
}

/**
 * The results of a node, by the id of the run. The number of statements does not depend on the number of
 * walks.
 */
export type NodeResults = ReadonlyMap<string, NodeResult>;

export const resultsBy = (
  walks: readonly Walk[],
  resultOf: (walk: Walk, index: number) => NodeResult,
): NodeResults => new Map(walks.map((walk, index) => [walk.run.id, resultOf(walk, index)]));

export async function afterDelay(ctx: Context, { node, walks }: NodeGroup<DelayNode>): Promise<NodeResults> {
  const until = addMs(ctx.clock.now(), durationMs(node));
  return resultsBy(walks, ({ isArriving }) =>
    isArriving ? { until, waitsFor: null } : { next: node.next, outcome: 'DONE' },
  );
}

export async function afterDelayUntil(
  ctx: Context,
  { node, walks }: NodeGroup<DelayUntilNode>,
): Promise<NodeResults> {
  const arriving = walks.filter(({ isArriving }) => isArriving);
  const zones = await zonesOf(
    ctx,
    arriving.map(({ run }) => run.memberId),
  );
  const now = ctx.clock.now();
  return resultsBy(walks, ({ isArriving, run }) =>
    isArriving
      ? { until: nextTimeOf(node, zones(run.memberId), now), waitsFor: null }
      : { next: node.next, outcome: 'DONE' },
  );
}

/** Returns a function that gives the time zone of a member. Default: the time zone of the workspace. */
async function zonesOf(ctx: Context, memberIds: readonly string[]): Promise<(memberId: string) => string> {
  const known = memberIds.length > 0 ? await timeZonesOf(ctx, memberIds) : new Map<string, string>();
  const ofWorkspace = memberIds.some((id) => !known.has(id)) ? await timeZoneOf(ctx) : 'UTC';
  return (memberId) => known.get(memberId) ?? ofWorkspace;
}

/** The results of a wait. An event that has occurred sets `waitsFor` to null. */
export async function afterWaitForEvent(
  ctx: Context,
  { node, walks }: NodeGroup<WaitForEventNode>,
): Promise<NodeResults> {
  const until = addMs(ctx.clock.now(), durationMs(node.timeout));
  return resultsBy(walks, ({ isArriving, run }) => {
    if (isArriving) return { until, waitsFor: node.event.type };
    if (run.waitsFor === null) return { next: node.next, outcome: 'BRANCH:event' };
    return { next: node.otherwise, outcome: 'BRANCH:timeout' };
  });
}

export async function afterCondition(
  ctx: Context,
  { node, walks }: NodeGroup<ConditionNode>,
): Promise<NodeResults> {
  const resolved = await resolveCondition(ctx, node.condition);
  const meeting = await membersMeeting(
    ctx,
    resolved,
    walks.map(({ run }) => run.memberId),
  );
  return resultsBy(walks, ({ run }) =>
    meeting.has(run.memberId)
      ? { next: node.next, outcome: 'BRANCH:yes' }
      : { next: node.otherwise, outcome: 'BRANCH:no' },
  );
}

export async function split(_ctx: Context, group: NodeGroup<SplitNode>): Promise<NodeResults> {
  return resultsBy(group.walks, ({ run }) => {
    const { key, next } = branchOf(group.journeyId, group.node, run.memberId);
    return { next, outcome: `BRANCH:${key}` };
  });
}

export const afterExit = async (_ctx: Context, { walks }: NodeGroup<unknown>): Promise<NodeResults> =>
  resultsBy(walks, () => ({ next: null, outcome: 'DONE' }));
