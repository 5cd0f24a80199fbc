import type { Context } from '@loyalty/platform/context';
import { newId } from '@loyalty/platform/values/ids';
import type { Condition } from '../segments/conditions/condition.ts';
import type { JourneyDefinition, JourneyNode } from './definition/journey-definition.ts';

/** Nodes that follow each other, the last one leads to the end. */
export const inARow = (
  nodes: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[],
): JourneyNode[] =>
  nodes.map((node, place) => {
    const next = nodes[place + 1]?.id ?? null;
    return { next, ...node } as unknown as JourneyNode;
  });

/** Whoever visits a store waits for a day. */
export const aDefinition = (given: Partial<JourneyDefinition> = {}): JourneyDefinition => ({
  entry: { event: { type: 'store.visited' } },
  reentry: { rule: 'NEVER' },
  start: (given.nodes?.[0] ?? { id: 'wait' }).id,
  nodes: inARow([{ id: 'wait', type: 'delay', days: 1 }]),
  ...given,
});

/** A segment as a row; its members are not computed. */
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
