import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** What became of mail to one member. */
export interface EmailEngagement {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly lastClickAt: Date | null;
}

/** Of the messages that the log still has. */
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
