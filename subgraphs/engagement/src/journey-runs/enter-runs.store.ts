import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { JourneyReentry } from '../journeys/journey-definition.ts';

/** The entry of a member into a journey. */
export interface RunEntry {
  readonly memberId: string;
  /** The cause of the entry, such as the id of an event. Each key counts once. */
  readonly entryKey: string;
  /** The payload of the event: ids and counts. */
  readonly trigger: Readonly<Record<string, unknown>>;
  /** Time of the cause. Default: now. */
  readonly at?: Date;
}

/** Inserts runs of members whom the re-entry rule allows. A member has one run at a time. */
export async function insertRuns(
  tx: Context,
  journey: { readonly id: string; readonly version: number; readonly reentry: JourneyReentry },
  entries: readonly RunEntry[],
): Promise<number> {
  const { rule } = journey.reentry;
  const now = tx.clock.now();
  const rows = await tx.sql.query(
    `INSERT INTO engagement.journey_runs
            (workspace_id, mode, id, journey_id, version, member_id, entry_key, trigger, node_id, arrived_at,
             due_at, entered_at, sent_nodes)
     SELECT $1, $2::platform."Mode", e.id, $3, $4, e.member_id, e.entry_key, e.trigger, '', $5, $5, e.at, '{}'
       FROM unnest($8::uuid[], $9::uuid[], $10::text[], $11::jsonb[], $12::timestamptz[])
         AS e(id, member_id, entry_key, trigger, at)
      WHERE NOT EXISTS (
            SELECT FROM engagement.journey_runs AS r
             WHERE ${inScope('r')} AND r.journey_id = $3 AND r.member_id = e.member_id
               AND (r.ended_at IS NULL OR $6 = 'NEVER'
                    OR ($6 = 'AFTER_DAYS' AND r.entered_at > e.at - make_interval(days => $7)))
            OFFSET 0)
     ON CONFLICT DO NOTHING
     RETURNING 1`,
    [
      ...scopeOf(tx),
      journey.id,
      journey.version,
      now,
      rule,
      rule === 'AFTER_DAYS' ? journey.reentry.days : 0,
      entries.map(() => newId(tx.clock)),
      ...arraysOf(entries, 'memberId', 'entryKey'),
      entries.map(({ trigger }) => JSON.stringify(trigger)),
      entries.map(({ at }) => at ?? now),
    ],
  );
  return rows.length;
}

/** Returns the given members who never had a run of the journey. */
export async function membersWithoutRun(
  ctx: Context,
  journeyId: string,
  memberIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `SELECT m.id FROM unnest($4::uuid[]) AS m(id)
      WHERE NOT EXISTS (
            SELECT FROM engagement.journey_runs AS r
             WHERE ${inScope('r')} AND r.journey_id = $3 AND r.member_id = m.id OFFSET 0)`,
    [...scopeOf(ctx), journeyId, memberIds],
  );
  return rows.map(({ id }) => id);
}
