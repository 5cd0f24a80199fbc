import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { AutomationTrigger, TimeTrigger } from './automation-trigger.ts';

/** An automation by time whose due members a worker searches for. */
export interface DueAutomation extends Scope {
  readonly id: string;
  readonly trigger: AutomationTrigger & TimeTrigger;
}

/** Claims the automation that has waited longest. Other workers find it again only after `nextAt`. */
export async function claimAutomation(ctx: Context, nextAt: Date): Promise<DueAutomation | null> {
  const [row] = await ctx.sql.query<DueAutomation>(
    `/* every workspace */ WITH due AS (
       SELECT workspace_id, mode, id FROM engagement.automations
        WHERE due_at <= $1 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE engagement.automations AS a SET due_at = $2 FROM due
      WHERE a.workspace_id = due.workspace_id AND a.mode = due.mode AND a.id = due.id
     RETURNING a.workspace_id, a.mode, a.id, a.trigger`,
    [ctx.clock.now(), nextAt],
  );
  return row ?? null;
}

/** Sets the time of the next search, unless the automation was paused. */
export async function setDueAt(ctx: Context, id: string, dueAt: Date): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.automations SET due_at = $4
      WHERE ${inScope()} AND id = $3 AND due_at IS NOT NULL`,
    [...scopeOf(ctx), id, dueAt],
  );
}

/** A member who has reached the time; once for each key. */
export interface DueMember {
  readonly memberId: string;
  readonly entryKey: string;
}

const NOW = '$5::timestamptz';
const OPTIONS = '$6::jsonb';
const LOCAL = `(${NOW} AT TIME ZONE p.time_zone)`;
/** SQL of the local day plus `daysBefore`. */
const DAY = `(${LOCAL}::date + coalesce((${OPTIONS}->>'daysBefore')::int, 0))`;
const IS_TIME = `${LOCAL}::time >= (${OPTIONS}->>'time')::time`;
const YEAR = `extract(year FROM ${DAY})::int`;

/** SQL that compares the day with a month and day. In years without 29 February, 28 February replaces it. */
const fallsOn = (monthDay: string): string => {
  const day = `(extract(month FROM ${DAY}) * 100 + extract(day FROM ${DAY}))::int`;
  return `(${monthDay} = ${day}
    OR (${monthDay} = 229 AND ${day} = 228 AND extract(month FROM ${DAY} + 1) = 3))`;
};
const monthDayOf = (date: string): string =>
  `(extract(month FROM ${date}) * 100 + extract(day FROM ${date}))::int`;

const JOINED = '(p.created_at AT TIME ZONE p.time_zone)::date';
const FIELD = `(p.custom_attributes ->> (${OPTIONS}->>'key'))`;
const DATE = `(CASE WHEN ${FIELD} ~ '^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$' THEN ${FIELD}::date END)`;
const days = (name: string): string => `(${OPTIONS}->>'${name}')::int * interval '24 hours'`;
const instant = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** For each kind: SQL of the members who have reached the time, and of the key that counts once. */
const moments: Readonly<Record<TimeTrigger['kind'], { readonly where: string; readonly key: string }>> = {
  birthday: { where: `${fallsOn('p.birthday')} AND ${IS_TIME}`, key: YEAR },
  anniversary: {
    where: `${fallsOn(monthDayOf(JOINED))} AND extract(year FROM ${JOINED}) < ${YEAR} AND ${IS_TIME}`,
    key: YEAR,
  },
  date: {
    where: `CASE WHEN (${OPTIONS}->>'isYearly')::boolean THEN ${fallsOn(monthDayOf(DATE))}
                 ELSE ${DATE} = ${DAY} END AND ${IS_TIME}`,
    key: DAY,
  },
  // Members who were inactive long before the activation do not enter.
  inactivity: {
    where: `p.last_activity_at <= ${NOW} - ${days('days')}
      AND p.last_activity_at > ${NOW} - ${days('days')} - interval '48 hours'`,
    key: instant('p.last_activity_at'),
  },
  points_expiring: {
    where: `p.points_expire_at > ${NOW} AND p.points_expire_at <= ${NOW} + ${days('daysBefore')}`,
    key: instant('p.points_expire_at'),
  },
  tier_expiring: {
    where: `p.tier_lapses_at > ${NOW} AND p.tier_lapses_at <= ${NOW} + ${days('daysBefore')}`,
    key: instant('p.tier_lapses_at'),
  },
};

/**
 * Returns members after an id, in the order of their ids, who have reached the time and have not entered for
 * it yet.
 */
export function findDueMembers(
  ctx: Context,
  { id, trigger }: DueAutomation,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<DueMember[]> {
  const { where, key } = moments[trigger.kind];
  const field = trigger.kind === 'date' ? trigger.field.slice('customAttributes.'.length) : null;
  const entryKey = `'${trigger.kind}:' || (${key})::text`;
  return ctx.sql.query<DueMember>(
    `SELECT p.member_id, ${entryKey} AS entry_key
       FROM engagement.profiles AS p
      WHERE ${inScope('p')} AND p.member_id > $4 AND (${where})
        AND NOT EXISTS (
            SELECT FROM engagement.journey_runs AS r
             WHERE ${inScope('r')} AND r.journey_id = $3 AND r.member_id = p.member_id
               AND r.entry_key = ${entryKey})
      ORDER BY p.member_id LIMIT $7`,
    [...scopeOf(ctx), id, afterId, ctx.clock.now(), JSON.stringify({ ...trigger, key: field }), limit],
  );
}
