import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type AudienceExclusionReason =
  | 'CLOSED'
  | 'RESTRICTED'
  | 'NO_EMAIL'
  | 'SUPPRESSED'
  | 'NO_CONSENT'
  | 'NO_BROWSER'
  | 'FREQUENCY_CAP';

/** A number of members with the same exclusion reason. */
export interface AudienceGroup {
  /** Null for members who would receive the message. */
  readonly reason: AudienceExclusionReason | null;
  readonly members: number;
}

/** Members of one of the segments. */
export interface SegmentEstimate {
  readonly segmentId: string;
  readonly members: number;
}

export interface EstimatedAudience {
  readonly channel: 'EMAIL' | 'WEB_PUSH';
  readonly segmentIds: readonly string[];
  readonly excludedSegmentIds: readonly string[];
  readonly perDay: number | null;
  readonly perWeek: number | null;
}

/** Returns the member counts of segments by id. */
export async function segmentCounts(
  ctx: Context,
  segmentIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await ctx.sql.query<{ id: string; members: number }>(
    `SELECT s.segment_id AS id, count(*)::int AS members FROM engagement.segment_members AS s
      WHERE ${inScope('s')} AND s.segment_id = ANY($3::uuid[]) AND s.is_member GROUP BY s.segment_id`,
    [...scopeOf(ctx), segmentIds],
  );
  return new Map(rows.map(({ id, members }) => [id, members]));
}

const AUDIENCE = `SELECT DISTINCT s.member_id FROM engagement.segment_members AS s
   WHERE ${inScope('s')} AND s.segment_id = ANY($3::uuid[]) AND s.is_member
  EXCEPT
  SELECT s.member_id FROM engagement.segment_members AS s
   WHERE ${inScope('s')} AND s.segment_id = ANY($4::uuid[]) AND s.is_member`;

/** The suppression of an address is known only if a mail was sent to the member at it. */
const SUPPRESSED = `SELECT DISTINCT m.member_id FROM engagement.suppressions AS s
    JOIN engagement.messages AS m ON ${inScope('m')} AND m.email_index = s.email_index
   WHERE ${inScope('s')} AND m.member_id IS NOT NULL AND m.email_index <> ''`;

const CAPPED = `SELECT m.member_id FROM engagement.messages AS m
   WHERE ${inScope('m')} AND m.counted_at > $5 AND ($7::int IS NOT NULL OR $8::int IS NOT NULL)
   GROUP BY m.member_id
  HAVING count(*) >= $8 OR count(*) FILTER (WHERE m.counted_at > $6) >= $7`;

const BROWSERS = `SELECT DISTINCT b.member_id FROM engagement.push_subscriptions AS b WHERE ${inScope('b')}`;

/** SQL of the reason. The order is the order of the guards before sending. */
const reasonOf = (channel: EstimatedAudience['channel']): string => `CASE
  WHEN p.status IN ('DEACTIVATION_PENDING', 'DELETED') THEN 'CLOSED'
  WHEN p.is_restricted THEN 'RESTRICTED'
  ${
    channel === 'EMAIL'
      ? `WHEN NOT p.has_email THEN 'NO_EMAIL'
         WHEN suppressed.member_id IS NOT NULL THEN 'SUPPRESSED'
         WHEN NOT 'EMAIL_MARKETING' = ANY(p.consents) THEN 'NO_CONSENT'`
      : `WHEN p.status = 'UNSUBSCRIBED' THEN 'NO_CONSENT'
         WHEN browsers.member_id IS NULL THEN 'NO_BROWSER'`
  }
  WHEN capped.member_id IS NOT NULL THEN 'FREQUENCY_CAP' END`;

/** Counts the members of an audience by exclusion reason, with one statement. */
export async function audienceGroups(ctx: Context, audience: EstimatedAudience): Promise<AudienceGroup[]> {
  const { channel, segmentIds, excludedSegmentIds, perDay, perWeek } = audience;
  const now = ctx.clock.now();
  const ofChannel =
    channel === 'EMAIL'
      ? `LEFT JOIN (${SUPPRESSED}) AS suppressed ON suppressed.member_id = a.member_id`
      : `LEFT JOIN (${BROWSERS}) AS browsers ON browsers.member_id = a.member_id`;
  return ctx.sql.query<AudienceGroup>(
    `WITH audience AS (${AUDIENCE})
     SELECT ${reasonOf(channel)} AS reason, count(*)::int AS members
       FROM audience AS a
       JOIN engagement.profiles AS p ON ${inScope('p')} AND p.member_id = a.member_id
       ${ofChannel}
       LEFT JOIN (${CAPPED}) AS capped ON capped.member_id = a.member_id
      GROUP BY 1 ORDER BY members DESC, reason`,
    [
      ...scopeOf(ctx),
      segmentIds,
      excludedSegmentIds,
      addMs(now, -7 * DAY_MS),
      addMs(now, -DAY_MS),
      perDay,
      perWeek,
    ],
  );
}
