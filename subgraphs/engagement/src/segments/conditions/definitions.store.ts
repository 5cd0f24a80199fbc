import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { Condition } from './condition.ts';

/** The definition of a segment, and the segments that it names. */
export interface SegmentDefinition {
  readonly id: string;
  readonly definition: Condition;
  readonly nestedIds: readonly string[];
}

/** Definitions of segments and of all that are nested in them; those that do not exist are left out. */
export const findDefinitions = (ctx: Context, ids: readonly string[]): Promise<SegmentDefinition[]> =>
  ctx.sql.query(
    `WITH RECURSIVE found AS (
       SELECT s.id, s.definition, s.nested_ids FROM engagement.segments AS s
        WHERE ${inScope('s')} AND s.id = ANY($3::uuid[])
       UNION
       SELECT s.id, s.definition, s.nested_ids FROM found AS f
         JOIN engagement.segments AS s ON ${inScope('s')} AND s.id = ANY(f.nested_ids)
     )
     SELECT id, definition, nested_ids FROM found`,
    [...scopeOf(ctx), ids],
  );
