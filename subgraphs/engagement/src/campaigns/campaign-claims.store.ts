import type { Scope } from '@loyalty/platform/base/caller';
import { addMs } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { Claimed } from '@loyalty/platform/work/lost-workers';
import type { Campaign, CampaignVariant, RecipientCounts } from './campaign.ts';

/** Lease of a claimed campaign. After it, another worker may claim the campaign. */
const LEASE_MS = 60_000;

/** A campaign that a worker has claimed for one step. */
export interface CampaignClaim extends Scope, Claimed {
  readonly id: string;
  /** Number of the claim. A later claim has a higher number; then this worker's writes have no effect. */
  readonly claim: number;
}

/**
 * Claims the campaign that has been due longest.
 *
 * @param maySuspect - whether a campaign whose worker was lost may be claimed
 */
export async function claimCampaign(ctx: Context, maySuspect = true): Promise<CampaignClaim | null> {
  const now = ctx.clock.now();
  const [claimed] = await ctx.sql.query<CampaignClaim>(
    `/* every workspace */ UPDATE engagement.campaigns AS c
        SET due_at = $2, claim = c.claim + 1, claims = c.claims + 1
       FROM (SELECT workspace_id, mode, id FROM engagement.campaigns
              WHERE (claims = 0 OR $3) AND due_at IS NOT NULL AND due_at <= $1
              ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE c.workspace_id = due.workspace_id AND c.mode = due.mode AND c.id = due.id
     RETURNING c.workspace_id, c.mode, c.id, c.claim, c.claims`,
    [now, addMs(now, LEASE_MS), maySuspect],
  );
  return claimed ?? null;
}

/** The fields of a campaign that a step needs. */
export interface ClaimedCampaign
  extends Pick<
    Campaign,
    | 'id'
    | 'status'
    | 'channel'
    | 'segmentIds'
    | 'excludedSegmentIds'
    | 'holdOutPercent'
    | 'scheduledAt'
    | 'isLocalTime'
    | 'journeyId'
    | 'audienceToId'
    | 'recipientCounts'
  > {
  readonly claim: number;
  readonly startedAt: Date | null;
  readonly variants: readonly CampaignVariant[];
}

const columns = `c.id, c.claim, c.status, c.channel, c.include_ids AS segment_ids,
  c.exclude_ids AS excluded_segment_ids, c.hold_out_percent, c.scheduled_at, c.is_local_time, c.journey_id,
  c.audience_to_id, c.recipient_counts, c.started_at, c.variants`;

/**
 * Locks a claimed campaign until the transaction ends. Returns null if another worker has claimed it, or it
 * was stopped.
 */
export async function lockClaimed(
  tx: Context,
  { id, claim }: Pick<CampaignClaim, 'id' | 'claim'>,
): Promise<ClaimedCampaign | null> {
  const [row] = await tx.sql.query<ClaimedCampaign>(
    `SELECT ${columns} FROM engagement.campaigns AS c
      WHERE ${inScope('c')} AND c.id = $3 AND c.claim = $4 FOR UPDATE`,
    [...scopeOf(tx), id, claim],
  );
  return row ?? null;
}

/** Locks a campaign until the transaction ends, regardless of claims. Returns null if it is unknown. */
export async function lockCampaign(tx: Context, id: string): Promise<ClaimedCampaign | null> {
  const [row] = await tx.sql.query<ClaimedCampaign>(
    `SELECT ${columns} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = $3 FOR UPDATE`,
    [...scopeOf(tx), id],
  );
  return row ?? null;
}

/** The state of a campaign after a step. */
export interface NextStep {
  /** The time of the next step; null if there is none. */
  readonly dueAt: Date | null;
  readonly audienceToId: string | null;
  readonly recipientCounts: RecipientCounts;
}

/** Ends a step of a campaign that this transaction has locked. */
export async function writeStep(tx: Context, id: string, next: NextStep): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.campaigns SET due_at = $4, audience_to_id = $5, recipient_counts = $6, claims = 0
      WHERE ${inScope()} AND id = $3`,
    [...scopeOf(tx), id, next.dueAt, next.audienceToId, JSON.stringify(next.recipientCounts)],
  );
}

/** Writes only the counts of a campaign that this transaction has locked. */
export async function writeCounts(tx: Context, id: string, recipientCounts: RecipientCounts): Promise<void> {
  await tx.sql.query(`UPDATE engagement.campaigns SET recipient_counts = $4 WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(tx),
    id,
    JSON.stringify(recipientCounts),
  ]);
}

/** Sets only the time of the next claim of a claimed campaign. */
export async function postponeClaimed(
  ctx: Context,
  { id, claim }: CampaignClaim,
  dueAt: Date,
): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.campaigns SET due_at = $5, claims = 0 WHERE ${inScope()} AND id = $3 AND claim = $4
        AND due_at IS NOT NULL`,
    [...scopeOf(ctx), id, claim, dueAt],
  );
}

/** Marks a draft or a scheduled campaign as started. Returns false if it is neither. */
export async function markStarted(
  tx: Context,
  id: string,
  { variants, isScheduled }: { readonly variants: readonly CampaignVariant[]; readonly isScheduled: boolean },
): Promise<boolean> {
  const now = tx.clock.now();
  const rows = await tx.sql.query(
    `UPDATE engagement.campaigns
        SET status = 'SENDING', started_at = $4, updated_at = $4, variants = $5, claim = claim + 1,
            claims = 0, failure = NULL,
            due_at = CASE WHEN journey_id IS NULL THEN $4::timestamptz END,
            audience_to_id = CASE WHEN journey_id IS NULL THEN $6::uuid END,
            scheduled_at = CASE WHEN $7 THEN scheduled_at END, is_local_time = is_local_time AND $7
      WHERE ${inScope()} AND id = $3 AND status IN ('DRAFT', 'SCHEDULED') RETURNING 1`,
    [...scopeOf(tx), id, now, JSON.stringify(variants), NO_ID, isScheduled],
  );
  return rows.length > 0;
}

/** Writes a failure. A scheduled campaign becomes a draft again. A campaign that is being sent is paused. */
export async function markFailed(tx: Context, id: string, failure: string): Promise<void> {
  await tx.sql.query(
    `UPDATE engagement.campaigns
        SET status = CASE WHEN status = 'SCHEDULED' THEN 'DRAFT'
                          ELSE 'PAUSED' END::engagement."CampaignStatus",
            claim = claim + 1, claims = 0, due_at = NULL, failure = $4, updated_at = $5
      WHERE ${inScope()} AND id = $3 AND status IN ('SCHEDULED', 'SENDING')`,
    [...scopeOf(tx), id, failure, tx.clock.now()],
  );
}

/**
 * Marks a campaign without waiting recipients as sent, if none of its messages is queued. Returns whether it
 * is sent.
 */
export async function markSent(
  tx: Context,
  { id, variants }: Pick<ClaimedCampaign, 'id' | 'variants'>,
): Promise<boolean> {
  const rows = await tx.sql.query(
    `UPDATE engagement.campaigns SET status = 'SENT', finished_at = $4, updated_at = $4, due_at = NULL
      WHERE ${inScope()} AND id = $3 AND status = 'SENDING' AND NOT EXISTS (${QUEUED}) RETURNING 1`,
    [...scopeOf(tx), id, tx.clock.now(), variants.map(({ key }) => key)],
  );
  return rows.length > 0;
}

/** Uses all columns of the index, so that only the index is read. */
const QUEUED = `SELECT FROM engagement.messages AS m
  WHERE ${inScope('m')} AND m.source_id = $3 AND m.node_id = '' AND m.variant = ANY($5::text[])
    AND m.status = 'QUEUED'`;
