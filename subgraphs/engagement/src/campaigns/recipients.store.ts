import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { RecipientCount, RecipientState } from './campaign.ts';
import type { ClaimedCampaign } from './campaign-claims.store.ts';
import { holdOutNumberSql, sharesOf, splitNumberSql } from './split.ts';

/** A member of the audience with the due time of the message. */
export interface NewCampaignRecipient {
  readonly memberId: string;
  readonly dueAt: Date;
}

const CAMPAIGN = '$3::uuid';
const SPLIT = splitNumberSql(CAMPAIGN, 'm.member_id');
const HOLD_OUT = holdOutNumberSql(CAMPAIGN, 'm.member_id');

/**
 * Inserts recipients with the variant and hold-out that their hashes determine. Returns the counts of new
 * recipients.
 */
export async function insertRecipients(
  tx: Context,
  { id, variants, holdOutPercent }: Pick<ClaimedCampaign, 'id' | 'variants' | 'holdOutPercent'>,
  recipients: readonly NewCampaignRecipient[],
): Promise<RecipientCount[]> {
  const { keys, upTo, total } = sharesOf(variants);
  return tx.sql.query<RecipientCount>(
    `WITH added AS (
       INSERT INTO engagement.campaign_recipients
              (workspace_id, mode, campaign_id, member_id, variant, state, due_at)
       SELECT $1, $2::platform."Mode", ${CAMPAIGN}, m.member_id, share.key,
              CASE WHEN ${HOLD_OUT} % 100 < $8 THEN 'HELD_OUT'
                   ELSE 'WAITING' END::engagement."RecipientState",
              m.due_at
         FROM unnest($4::uuid[], $5::timestamptz[]) AS m(member_id, due_at)
        CROSS JOIN LATERAL (SELECT s.key FROM unnest($6::text[], $7::int[]) AS s(key, up_to)
                             WHERE ${SPLIT} % $9 < s.up_to ORDER BY s.up_to LIMIT 1) AS share
       ON CONFLICT DO NOTHING
       RETURNING variant, state)
     SELECT variant, state, NULL AS reason, count(*)::int AS count FROM added GROUP BY variant, state`,
    [...scopeOf(tx), id, ...arraysOf(recipients, 'memberId', 'dueAt'), keys, upTo, holdOutPercent, total],
  );
}

/** Returns the time zones of members from profiles. */
export async function timeZonesOf(
  tx: Context,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.sql.query<{ memberId: string; timeZone: string }>(
    `SELECT member_id, time_zone FROM engagement.profiles
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [...scopeOf(tx), memberIds],
  );
  return new Map(rows.map(({ memberId, timeZone }) => [memberId, timeZone]));
}

/** A recipient whose message is due. */
export interface DueRecipient {
  readonly memberId: string;
  readonly variant: string;
}

/** Returns waiting recipients who are due, locked until the transaction ends. */
export const lockDueRecipients = (tx: Context, campaignId: string, limit: number): Promise<DueRecipient[]> =>
  tx.sql.query(
    `SELECT member_id, variant FROM engagement.campaign_recipients
      WHERE ${inScope()} AND campaign_id = $3 AND state = 'WAITING' AND due_at <= $4
      ORDER BY due_at, member_id LIMIT $5 FOR UPDATE`,
    [...scopeOf(tx), campaignId, tx.clock.now(), limit],
  );

/** Returns waiting recipients, due or not, locked until the transaction ends. */
export const lockWaitingRecipients = (
  tx: Context,
  campaignId: string,
  limit: number,
): Promise<DueRecipient[]> =>
  tx.sql.query(
    `SELECT member_id, variant FROM engagement.campaign_recipients
      WHERE ${inScope()} AND campaign_id = $3 AND state = 'WAITING'
      ORDER BY due_at, member_id LIMIT $4 FOR UPDATE`,
    [...scopeOf(tx), campaignId, limit],
  );

/** Returns the next due time of a recipient; null if none is waiting. */
export async function nextDueAt(tx: Context, campaignId: string): Promise<Date | null> {
  const [row] = await tx.sql.query<{ dueAt: Date }>(
    `SELECT due_at FROM engagement.campaign_recipients
      WHERE ${inScope()} AND campaign_id = $3 AND state = 'WAITING' ORDER BY due_at LIMIT 1`,
    [...scopeOf(tx), campaignId],
  );
  return row?.dueAt ?? null;
}

/**
 * Writes the state of recipients that this transaction has locked. The list of ids is the only condition,
 * because a join with a recently filled table may get a bad plan.
 *
 * @param reason - the reason of SKIPPED; null for recipients with a message
 */
export async function moveRecipients(
  tx: Context,
  campaignId: string,
  memberIds: readonly string[],
  reason: string | null,
): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.campaign_recipients
        SET state = CASE WHEN $5::text IS NULL THEN 'QUEUED' ELSE 'SKIPPED' END::engagement."RecipientState",
            reason = $5
      WHERE ${inScope()} AND campaign_id = $3 AND member_id = ANY($4::uuid[])`,
    [...scopeOf(tx), campaignId, memberIds, reason],
  );
}

/** Returns the campaigns of which a member is a recipient. */
export async function campaignsOfMember(ctx: Context, memberId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ campaignId: string }>(
    `SELECT campaign_id FROM engagement.campaign_recipients
      WHERE ${inScope()} AND member_id = $3`,
    [...scopeOf(ctx), memberId],
  );
  return rows.map(({ campaignId }) => campaignId);
}

/**
 * Returns the variant of a waiting recipient, locked until the transaction ends; null if the member is not
 * waiting.
 */
export async function lockWaiting(tx: Context, campaignId: string, memberId: string): Promise<string | null> {
  const [row] = await tx.sql.query<{ variant: string; state: RecipientState }>(
    `SELECT variant, state FROM engagement.campaign_recipients
      WHERE ${inScope()} AND campaign_id = $3 AND member_id = $4 FOR UPDATE`,
    [...scopeOf(tx), campaignId, memberId],
  );
  return row?.state === 'WAITING' ? row.variant : null;
}

/**
 * Whether at least `max` marketing messages of the workspace are due. Then more messages would only make the
 * queue longer.
 */
export async function isBacklogged(tx: Context, max: number): Promise<boolean> {
  const [row] = await tx.sql.query<{ due: number }>(
    `SELECT count(*)::int AS due
       FROM (SELECT FROM engagement.messages AS m
              WHERE m.workspace_id = $1 AND m.category = 'MARKETING' AND m.due_at <= $2 LIMIT $3) AS waiting`,
    [tx.scope.workspaceId, tx.clock.now(), max],
  );
  return row!.due >= max;
}
