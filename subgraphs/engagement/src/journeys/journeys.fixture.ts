import { expect } from '@jest/globals';
import type { AppError } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Condition } from '../conditions/condition.ts';
import { checkJourney } from './check-journey.service.ts';
import type { JourneyDefinition, JourneyNode } from './journey-definition.ts';

/** Links nodes in a row. The last one ends the journey. */
export const inARow = (
  nodes: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[],
): JourneyNode[] =>
  nodes.map((node, place) => {
    const next = nodes[place + 1]?.id ?? null;
    return { next, ...node } as unknown as JourneyNode;
  });

/** A definition in which a member who visits a store waits for a day. */
export const aDefinition = (given: Partial<JourneyDefinition> = {}): JourneyDefinition => ({
  entry: { event: { type: 'store.visited' } },
  reentry: { rule: 'NEVER' },
  start: (given.nodes?.[0] ?? { id: 'wait' }).id,
  nodes: inARow([{ id: 'wait', type: 'delay', days: 1 }]),
  ...given,
});

/** Inserts a segment without computing its members. */
export async function givenSegment(
  ctx: Context,
  definition: Condition = { op: 'and', conditions: [] },
): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO engagement.segments (workspace_id, mode, id, name, definition, aspects, nested_ids, actor,
            created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5::jsonb, '{}', '{}', 'user:test', $6, $6)`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, `Segment ${id}`, JSON.stringify(definition), ctx.clock.now()],
  );
  return id;
}

export const PATH = 'input.definition';

/** Returns the path of the fault below the definition; null if there is none. */
export async function faultIn(ctx: Context, definition: unknown): Promise<string | null> {
  try {
    await checkJourney(ctx, definition, PATH);
    return null;
  } catch (error) {
    const { code, category, details, message } = error as AppError;
    expect([code, category]).toEqual(['VALIDATION_FAILED', 'BAD_USER_INPUT']);
    expect(message.startsWith(`${details.field} `)).toBe(true);
    return details.field!.slice(PATH.length);
  }
}

/** A definition with one node, `n`. */
export const withNode = (node: Readonly<Record<string, unknown>>): JourneyDefinition =>
  aDefinition({ nodes: inARow([{ id: 'n', ...node }]) });

/** A definition that members enter by an event. */
export const withEvent = (event: unknown): JourneyDefinition => aDefinition({ entry: { event } as never });

function nodesOfEveryKind(templateId: string, poolId: string, segmentId: string): JourneyNode[] {
  return [
    { id: 'mail', label: 'Hello', type: 'email', templateId, next: 'evening' },
    { id: 'evening', type: 'delayUntil', time: '18:30', weekdays: [1, 5], next: 'order' },
    {
      id: 'order',
      type: 'waitForEvent',
      event: { type: 'loyalty.points_awarded', where: { amount: 5 } },
      timeout: { hours: 5 },
      next: 'rich',
      otherwise: 'sides',
    },
    {
      id: 'rich',
      type: 'condition',
      condition: { segment: segmentId },
      next: 'points',
      otherwise: 'coupon',
    },
    {
      id: 'sides',
      type: 'split',
      branches: [
        { key: 'a', weight: 1, next: 'points' },
        { key: 'b', weight: 100, next: null },
      ],
    },
    { id: 'points', type: 'awardPoints', amount: 5, description: 'Thanks', next: 'push' },
    { id: 'coupon', type: 'issueCoupon', poolId, next: 'tag' },
    { id: 'tag', type: 'addTag', tag: 'VIP customers', next: 'untag' },
    { id: 'untag', type: 'removeTag', tag: 'new', next: 'push' },
    { id: 'push', type: 'webPush', title: ' Hello {{ member.first_name }} ', body: 'Hi', next: 'hook' },
    { id: 'hook', type: 'webhook', name: 'reached', next: 'out' },
    { id: 'out', type: 'exit' },
  ];
}

/** A definition with every kind of node. */
export const everyKindOfNode = ({
  templateId,
  poolId,
  segmentId,
}: Readonly<Record<'templateId' | 'poolId' | 'segmentId', string>>): JourneyDefinition =>
  aDefinition({
    entry: { segmentId },
    reentry: { rule: 'AFTER_DAYS', days: 30 },
    condition: { field: 'points_balance', operator: 'at_least', value: 10 },
    goal: { event: { type: 'order.created', where: { amountBand: ['100-250', '250-500'] } } },
    exit: [{ event: { type: 'member.unsubscribed' } }],
    leavesWithSegment: true,
    start: 'mail',
    nodes: nodesOfEveryKind(templateId, poolId, segmentId),
  });
