import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { Campaign, CampaignStatus, CampaignVariant } from './campaign.ts';

const columns = `c.id, c.name, c.channel, c.status, c.include_ids AS segment_ids,
  c.exclude_ids AS excluded_segment_ids, c.hold_out_percent, c.scheduled_at, c.is_local_time,
  c.attribution_days, c.journey_id, c.audience_to_id, c.recipient_counts, c.failure, c.actor, c.created_at,
  c.updated_at, c.started_at, c.finished_at`;

export const campaignById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Campaign>(
    `SELECT ${columns} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Apart from the rest, which lists read without their contents. */
export const variantsByCampaign = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; variants: readonly CampaignVariant[] }>(
    `SELECT id, variants FROM engagement.campaigns WHERE ${inScope()} AND id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, variants }) => [id, variants]));
});

/** The campaign as it is now, not as the loader has cached it. */
export async function findCampaignNow(ctx: Context, id: string): Promise<Campaign | null> {
  const [row] = await ctx.sql.query<Campaign>(
    `SELECT ${columns} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ?? null;
}

/** Newest first. */
export async function campaignsPage(
  ctx: Context,
  request: PageRequest,
  status: CampaignStatus | null,
): Promise<Page<Campaign>> {
  const where = `${inScope('c')} ${status ? 'AND c.status = $3::engagement."CampaignStatus"' : ''}`;
  const params = [...scopeOf(ctx), ...(status ? [status] : [])];
  const { order, beyond } = scan(request);
  const cursor = request.cursorId ? `AND c.id ${beyond} $${params.length + 1}::uuid` : '';
  const rows = await ctx.sql.query<Campaign>(
    `SELECT ${columns} FROM engagement.campaigns AS c WHERE ${where} ${cursor}
      ORDER BY c.id ${order} LIMIT ${request.size + 1} OFFSET ${request.offset}`,
    [...params, ...(request.cursorId ? [request.cursorId] : [])],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM engagement.campaigns AS c WHERE ${where}`;
    return (await ctx.sql.query<{ total: number }>(sql, params))[0]!.total;
  });
}

/** What of a campaign can be edited while it is a draft. */
export interface CampaignContent
  extends Pick<
    Campaign,
    'name' | 'segmentIds' | 'excludedSegmentIds' | 'holdOutPercent' | 'attributionDays'
  > {
  readonly variants: readonly CampaignVariant[];
}

export async function insertCampaign(
  ctx: Context,
  campaign: CampaignContent & Pick<Campaign, 'id' | 'channel' | 'journeyId'>,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.campaigns (workspace_id, mode, id, name, channel, include_ids, exclude_ids,
            variants, hold_out_percent, attribution_days, journey_id, actor, created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5::engagement."MessageChannel", $6::uuid[], $7::uuid[], $8, $9,
             $10, $11, $12, $13, $13)`,
    [
      ...scopeOf(ctx),
      campaign.id,
      campaign.name,
      campaign.channel,
      campaign.segmentIds,
      campaign.excludedSegmentIds,
      JSON.stringify(campaign.variants),
      campaign.holdOutPercent,
      campaign.attributionDays,
      campaign.journeyId,
      ctx.caller.actor,
      ctx.clock.now(),
    ],
  );
}

/** Changes what is given of a draft; returns false where it is none. */
export async function updateDraft(
  ctx: Context,
  id: string,
  changes: Partial<CampaignContent>,
): Promise<boolean> {
  const { name, segmentIds, excludedSegmentIds, variants, holdOutPercent, attributionDays } = changes;
  const rows = await ctx.sql.query(
    `UPDATE engagement.campaigns
        SET name = coalesce($4, name), include_ids = coalesce($5::uuid[], include_ids),
            exclude_ids = coalesce($6::uuid[], exclude_ids), variants = coalesce($7::jsonb, variants),
            hold_out_percent = coalesce($8, hold_out_percent),
            attribution_days = coalesce($9, attribution_days), updated_at = $10
      WHERE ${inScope()} AND id = $3 AND status = 'DRAFT' RETURNING 1`,
    [
      ...scopeOf(ctx),
      id,
      name ?? null,
      segmentIds ?? null,
      excludedSegmentIds ?? null,
      variants ? JSON.stringify(variants) : null,
      holdOutPercent ?? null,
      attributionDays ?? null,
      ctx.clock.now(),
    ],
  );
  return rows.length > 0;
}

/** Returns false where it is no draft. */
export async function deleteDraft(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `DELETE FROM engagement.campaigns WHERE ${inScope()} AND id = $3 AND status = 'DRAFT' RETURNING 1`,
    [...scopeOf(ctx), id],
  );
  return rows.length > 0;
}
