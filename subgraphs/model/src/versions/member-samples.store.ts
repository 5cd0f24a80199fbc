import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** Returns the ids that may name a member in samples: its own, and those of the customer's systems. */
export async function entitiesOf(ctx: Context, memberId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT m.external_id AS id FROM model.member_mappings AS m WHERE ${inScope('m')} AND m.member_id = $3`,
    [...scopeOf(ctx), memberId],
  );
  return [memberId, ...rows.map(({ id }) => id)];
}

/** Returns the versions whose samples contain one of these texts, oldest first. */
export async function versionsWithText(ctx: Context, texts: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT s.version_id AS id FROM model.version_samples AS s
      WHERE ${inScope('s')}
        AND EXISTS (SELECT FROM unnest($3::text[]) AS t WHERE position(t IN s.content) > 0)
      ORDER BY s.version_id`,
    [...scopeOf(ctx), texts],
  );
  return rows.map(({ id }) => id);
}

/** Returns samples that were appended to schedules and have one of these texts as a cell, oldest first. */
export const appendedSamples = (
  ctx: Context,
  texts: readonly string[],
): Promise<{ readonly scheduleId: string; readonly cells: readonly string[] }[]> =>
  ctx.sql.query(
    `SELECT s.schedule_id, s.cells FROM model.schedule_samples AS s
      WHERE ${inScope('s')} AND s.cells ?| $3::text[] ORDER BY s.created_at, s.sample_id`,
    [...scopeOf(ctx), texts],
  );

/** Deletes samples that were appended to schedules and have one of these texts as a cell. */
export async function deleteAppended(tx: Context, texts: readonly string[]): Promise<void> {
  await tx.sql.query(
    `DELETE FROM model.schedule_samples AS s WHERE ${inScope('s')} AND s.cells ?| $3::text[]`,
    [...scopeOf(tx), texts],
  );
}

export async function deleteSamples(tx: Context, versionId: string): Promise<void> {
  await tx.sql.query(`DELETE FROM model.version_samples WHERE ${inScope()} AND version_id = $3`, [
    ...scopeOf(tx),
    versionId,
  ]);
}
