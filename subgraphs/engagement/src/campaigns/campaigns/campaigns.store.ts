import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { columns } from '@loyalty/prisma/columns';
import type { Campaign, CampaignStatus, CampaignVariant } from './campaign.ts';

const COLUMNS = `c.id, c.name, c.channel, c.status, c.include_ids AS segment_ids,
  c.exclude_ids AS excluded_segment_ids, c.hold_out_percent, c.scheduled_at, c.is_local_time,
  c.attribution_days, c.journey_id, c.audience_to_id, c.recipient_counts, c.failure, c.actor, c.created_at,
  c.updated_at, c.started_at, c.finished_at`;

export const campaignById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Campaign>(
    `SELECT ${COLUMNS} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Apart from the rest, which lists read without their contents. */
export const variantsByCampaign = loader(async (ctx, ids: readonly string[]) => {
  const rows: { id: string; variants: readonly CampaignVariant[] }[] = await ctx.prisma.campaign.findMany({
    where: { id: { in: [...ids] } },
    select: columns('id', 'variants'),
  });
  return new Map(rows.map(({ id, variants }) => [id, variants]));
});

/** The campaign as it is now, not as the loader has cached it. */
export async function findCampaignNow(ctx: Context, id: string): Promise<Campaign | null> {
  const [row] = await ctx.sql.query<Campaign>(
    `SELECT ${COLUMNS} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = $3`,
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
    `SELECT ${COLUMNS} FROM engagement.campaigns AS c WHERE ${where} ${cursor}
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
  const { id, channel, journeyId, name, variants, holdOutPercent, attributionDays } = campaign;
  const { segmentIds: includeIds, excludedSegmentIds: excludeIds } = campaign;
  const content = { name, includeIds, excludeIds, variants, holdOutPercent, attributionDays };
  const now = ctx.clock.now();
  const made = { actor: ctx.caller.actor, createdAt: now, updatedAt: now };
  await ctx.prisma.campaign.createMany({ data: [{ id, channel, journeyId, ...content, ...made }] });
}

/** Changes what is given of a draft; returns false where it is none. */
export async function updateDraft(
  ctx: Context,
  id: string,
  { segmentIds, excludedSegmentIds, ...changes }: Partial<CampaignContent>,
): Promise<boolean> {
  const { count } = await ctx.prisma.campaign.updateMany({
    where: { id, status: 'DRAFT' },
    data: {
      ...changes,
      ...(segmentIds && { includeIds: segmentIds }),
      ...(excludedSegmentIds && { excludeIds: excludedSegmentIds }),
      updatedAt: ctx.clock.now(),
    },
  });
  return count > 0;
}

/** Returns false where it is no draft. */
export async function deleteDraft(ctx: Context, id: string): Promise<boolean> {
  const { count } = await ctx.prisma.campaign.deleteMany({ where: { id, status: 'DRAFT' } });
  return count > 0;
}
