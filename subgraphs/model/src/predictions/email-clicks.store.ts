import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { IS_PURCHASE } from '../facts/fact.ts';
import type { MemberBlock } from '../standard-model/member-blocks.service.ts';

/** Counts the mails that were sent to a block of members on each day of UTC, up to `until`. */
export const sendsByDay = (
  ctx: Context,
  { fromId, toId }: MemberBlock,
  until: Date,
): Promise<{ readonly day: number; readonly sends: number }[]> =>
  ctx.sql.query(
    `SELECT occurred_at::date - DATE '1970-01-01' AS day, count(*)::int AS sends
       FROM model.channel_receipt_facts
      WHERE ${inScope()} AND member_id BETWEEN $3 AND $4
        AND channel = 'email' AND status = 'SENT' AND occurred_at <= $5
      GROUP BY day`,
    [...scopeOf(ctx), fromId, toId, until],
  );

export interface SentMail {
  readonly memberId: string;
  readonly sentAt: Date;
  readonly sentDay: number;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
}

/**
 * Selects mails with the times of their first events; a click counts as an open. Unsent mails are left out.
 */
const mailsWhere = (members: string, until: string, timeZone: string): string => `
  SELECT member_id, sent_at, opened_at, clicked_at,
         (sent_at AT TIME ZONE ${timeZone})::date - DATE '1970-01-01' AS sent_day
    FROM (SELECT member_id, min(occurred_at) FILTER (WHERE status = 'SENT') AS sent_at,
                 min(occurred_at) FILTER (WHERE status IN ('OPENED', 'CLICKED')) AS opened_at,
                 min(occurred_at) FILTER (WHERE status = 'CLICKED') AS clicked_at
            FROM model.channel_receipt_facts
           WHERE ${inScope()} AND ${members}
             AND channel = 'email' AND occurred_at <= ${until}
           GROUP BY member_id, message_id) AS messages
   WHERE sent_at IS NOT NULL`;

/** Returns the mails to a block of members, by member and sending time. */
export const mailsOf = (
  ctx: Context,
  { fromId, toId }: MemberBlock,
  until: Date,
  timeZone: string,
): Promise<SentMail[]> =>
  ctx.sql.query<SentMail>(
    `SELECT member_id, sent_at, sent_day, opened_at, clicked_at
       FROM (${mailsWhere('member_id BETWEEN $3 AND $4', '$5', '$6')}) AS mails
      ORDER BY member_id, sent_at`,
    [...scopeOf(ctx), fromId, toId, until, timeZone],
  );

interface PurchaseDays {
  readonly memberId: string;
  /** In days since 1970-01-01. */
  readonly days: readonly number[];
}

/**
 * Returns the days with a paid order; members without one are left out. An order counts by its latest row.
 * One subquery for each member, because a join can take minutes while the planner has no statistics of the
 * tables yet.
 */
export const purchaseDaysOf = (
  ctx: Context,
  memberIds: readonly string[],
  timeZone: string,
): Promise<PurchaseDays[]> =>
  ctx.sql.query<PurchaseDays>(
    `SELECT w.member_id,
            array_agg(DISTINCT (o.occurred_at AT TIME ZONE $4)::date - DATE '1970-01-01') AS days
       FROM unnest($3::uuid[]) AS w(member_id)
      CROSS JOIN LATERAL (
              SELECT DISTINCT ON (order_id) occurred_at, status, amount_minor FROM model.order_facts AS f
               WHERE ${inScope('f')} AND f.member_id = w.member_id
               ORDER BY order_id, recorded_at DESC, id DESC) AS o
      WHERE ${IS_PURCHASE}
      GROUP BY w.member_id`,
    [...scopeOf(ctx), memberIds, timeZone],
  );

/** Counts of a member's mails, opens and clicks up to a moment. */
export interface MailSummary {
  readonly memberId: string;
  readonly sends: number;
  readonly opens: number;
  readonly clicks: number;
  readonly lastTouchAt: Date | null;
  readonly firstSendDay: number;
}

/** Returns the summaries of members with a mail. */
export const mailSummaries = (
  ctx: Context,
  memberIds: readonly string[],
  until: Date,
  timeZone: string,
): Promise<MailSummary[]> =>
  ctx.sql.query<MailSummary>(
    `SELECT member_id, count(*)::int AS sends, count(opened_at)::int AS opens,
            count(clicked_at)::int AS clicks, max(greatest(opened_at, clicked_at)) AS last_touch_at,
            min(sent_day) AS first_send_day
       FROM (${mailsWhere('member_id = ANY($3::uuid[])', '$4', '$5')}) AS mails
      GROUP BY member_id`,
    [...scopeOf(ctx), memberIds, until, timeZone],
  );
