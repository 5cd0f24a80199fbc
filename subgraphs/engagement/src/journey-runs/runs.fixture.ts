import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import type { JourneyDefinition, JourneyNode } from '../journeys/journey-definition.ts';
import { publishVersion } from '../journeys/journeys.service.ts';
import { enterRuns } from './enter-runs.service.ts';
import { moveDueRuns } from './ticks.service.ts';
import { keepTriggerEvents, takeTriggerEvents } from './triggers.service.ts';

/** The context of a worker. */
export const movingContext = (services: Services): Context =>
  createContext(services, { caller: systemCaller('test'), requestId: 'test' });

/** A graph that members enter by an event, and again after their run has ended. */
export const graphOfNodes = (
  nodes: readonly JourneyNode[],
  more: Partial<JourneyDefinition> = {},
): JourneyDefinition => ({
  entry: { event: { type: 'member.created' } },
  reentry: { rule: 'AFTER_END' },
  start: nodes[0]!.id,
  nodes,
  ...more,
});

/** Creates an active journey. */
export async function givenJourney(ctx: Context, definition: JourneyDefinition): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.transaction((tx) => publishVersion(tx, { id, kind: 'JOURNEY', name: id, definition }));
  return id;
}

/** Enters members, each with its own key. */
export const enter = (ctx: Context, journeyId: string, memberIds: readonly string[]): Promise<number> =>
  ctx.transaction((tx) =>
    enterRuns(tx, {
      journeyId,
      entries: memberIds.map((memberId) => ({ memberId, entryKey: newId(tx.clock), trigger: {} })),
    }),
  );

/** Moves all due runs of all workspaces. */
export async function moveAll(services: Services): Promise<void> {
  const worker = movingContext(services);
  while ((await moveDueRuns(worker)) > 0);
}

export interface ShownRun {
  readonly id: string;
  readonly memberId: string;
  readonly version: number;
  readonly status: string;
  readonly nodeId: string;
  readonly reason: string | null;
  readonly dueAt: Date | null;
  readonly waitsFor: string | null;
  readonly attempts: number;
}

/** Runs of a journey, in the order of their start. */
export const runsOf = (ctx: Context, journeyId: string): Promise<ShownRun[]> =>
  ctx.sql.query<ShownRun>(
    `SELECT id, member_id, version, status, node_id, reason, due_at, waits_for, attempts
       FROM engagement.journey_runs
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND journey_id = $3 ORDER BY entered_at, id`,
    [ctx.scope.workspaceId, ctx.scope.mode, journeyId],
  );

/** `node outcome` → count. */
export async function nodeCountsOf(ctx: Context, journeyId: string): Promise<Record<string, number>> {
  const rows = await ctx.sql.query<{ key: string; count: bigint }>(
    `SELECT node_id || ' ' || outcome AS key, sum(count)::bigint AS count FROM engagement.journey_node_counts
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND journey_id = $3 GROUP BY 1`,
    [ctx.scope.workspaceId, ctx.scope.mode, journeyId],
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, Number(count)]));
}

/** An event of a member, as the relay passes it on. */
export const memberEvent = (
  ctx: Context,
  type: string,
  memberId: string,
  payload: Readonly<Record<string, unknown>> = {},
): PublishedEvent => ({
  id: newId(ctx.clock),
  type,
  workspaceId: ctx.scope.workspaceId,
  mode: ctx.scope.mode,
  payload: { memberId, ...payload },
  createdAt: ctx.clock.now(),
  actor: ctx.caller.actor,
});

/** Passes events on, and moves runs until none is due. */
export async function handleEvents(services: Services, events: readonly PublishedEvent[]): Promise<void> {
  const worker = movingContext(services);
  await worker.transaction((tx) => keepTriggerEvents(tx, events));
  do await moveAll(services);
  while ((await takeTriggerEvents(worker)).hasEvents);
  await moveAll(services);
}
