import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** The counts of mails to a member, by reaction. */
export interface EmailEngagement {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly lastClickAt: Date | null;
}

/** Counts the messages that are still in the log. */
export const engagementByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<EmailEngagement & { readonly memberId: string }>(
    `SELECT member_id, count(*) FILTER (WHERE sent_at IS NOT NULL)::int AS sent,
            count(*) FILTER (WHERE opens > 0)::int AS opened,
            count(*) FILTER (WHERE clicks > 0)::int AS clicked, max(clicked_at) AS last_click_at
       FROM engagement.messages
      WHERE ${inScope()} AND member_id = ANY($3::uuid[]) AND channel = 'EMAIL'
      GROUP BY member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, ...figures }) => [memberId, figures]));
});
