import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { compileCondition } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import { sqlValues } from './operators.ts';

/** Used in all statements, because PostgreSQL cannot infer the type of an unused parameter. */
const NOW = '$3::timestamptz';

const firstValues = (ctx: Context) => sqlValues([...scopeOf(ctx), ctx.clock.now()]);

/** Returns the members who meet a condition. */
export async function findMeeting(
  ctx: Context,
  condition: Condition,
  memberIds: readonly string[],
): Promise<string[]> {
  const sql = firstValues(ctx);
  const ids = sql.add(memberIds, 'uuid[]');
  const among = (column: string) => `${column} = ANY(${ids})`;
  const { where } = compileCondition(condition, sql, { now: NOW, among });
  const [row] = await ctx.sql.query<{ ids: string[] }>(
    `SELECT ${NOW} AS at, coalesce(array_agg(p.member_id), '{}') AS ids FROM engagement.profiles AS p
      WHERE ${inScope('p')} AND ${among('p.member_id')} AND ${where}`,
    sql.values,
  );
  return row!.ids;
}

/** Sets more memory and no JIT compilation for the next statements of this transaction. */
export async function preparePlan(tx: Context): Promise<void> {
  await tx.sql.query(`SELECT set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`);
}

/** Counts the members who meet a condition, and returns some of them. */
export async function countMeeting(
  ctx: Context,
  condition: Condition,
  sampleSize: number,
): Promise<{ readonly count: number; readonly sampleIds: readonly string[] }> {
  const sql = firstValues(ctx);
  const { where } = compileCondition(condition, sql, { now: NOW });
  const [row] = await ctx.sql.query<{ count: number; sampleIds: string[] }>(
    `WITH meeting AS MATERIALIZED (
       SELECT p.member_id FROM engagement.profiles AS p WHERE ${inScope('p')} AND ${where}
     )
     SELECT ${NOW} AS at, (SELECT count(*) FROM meeting)::int AS count,
            ARRAY(SELECT member_id FROM meeting LIMIT ${sql.add(sampleSize, 'int')}) AS sample_ids`,
    sql.values,
  );
  return row!;
}

/** Evaluates conditions for a member; null if there is no profile. */
export async function findResults(
  ctx: Context,
  conditions: readonly Condition[],
  memberId: string,
): Promise<readonly boolean[] | null> {
  const sql = firstValues(ctx);
  const id = sql.add(memberId, 'uuid');
  const among = (column: string) => `${column} = ${id}`;
  const parts = conditions.map((each) => compileCondition(each, sql, { now: NOW, among }).where);
  const [row] = await ctx.sql.query<{ results: boolean[] }>(
    `SELECT ${NOW} AS at, ARRAY[${parts.join(', ')}]::boolean[] AS results FROM engagement.profiles AS p
      WHERE ${inScope('p')} AND ${among('p.member_id')}`,
    sql.values,
  );
  return row?.results ?? null;
}

/** The definition of a segment, and its nested segments. */
export interface SegmentDefinition {
  readonly id: string;
  readonly definition: Condition;
  readonly nestedIds: readonly string[];
}

/** Returns the definitions of segments and of all nested segments. Unknown segments are omitted. */
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
