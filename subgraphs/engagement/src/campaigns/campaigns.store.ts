import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
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

/** Variants by campaign. Loaded separately, because lists of campaigns do not need the contents. */
export const variantsByCampaign = loader(async (ctx, ids: readonly string[]) => {
  const rows: { id: string; variants: readonly CampaignVariant[] }[] = await ctx.prisma.campaign.findMany({
    where: { id: { in: [...ids] } },
    select: columns('id', 'variants'),
  });
  return new Map(rows.map(({ id, variants }) => [id, variants]));
});

/** Reads a campaign without the cache of the loader. */
export async function findCampaignNow(ctx: Context, id: string): Promise<Campaign | null> {
  const [row] = await ctx.sql.query<Campaign>(
    `SELECT ${COLUMNS} FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.id = $3`,
    [...scopeOf(ctx), id],
  );
  return row ?? null;
}

/** A page of campaigns, newest first. */
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

/** The fields of a campaign that can be edited while it is a draft. */
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

/** Changes the given fields of a draft. Returns false if the campaign is not a draft. */
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

/** Deletes a draft. Returns false if the campaign is not a draft. */
export async function deleteDraft(ctx: Context, id: string): Promise<boolean> {
  const { count } = await ctx.prisma.campaign.deleteMany({ where: { id, status: 'DRAFT' } });
  return count > 0;
}

/** Changes the status and ends the claim of a worker. Returns false if the campaign has another status. */
async function move(tx: Context, sql: string, id: string, ...params: readonly unknown[]): Promise<boolean> {
  const now = tx.clock.now();
  const rows = await tx.sql.query(
    `UPDATE engagement.campaigns SET claim = claim + 1, claims = 0, updated_at = $4, ${sql} RETURNING 1`,
    [...scopeOf(tx), id, now, ...params],
  );
  return rows.length > 0;
}

const ONE = `${inScope()} AND id = $3`;

/** @param dueAt - the time at which a worker must begin: before `at`, if time zones of members are ahead */
export const markScheduled = (
  tx: Context,
  id: string,
  { at, isLocalTime, dueAt }: { readonly at: Date; readonly isLocalTime: boolean; readonly dueAt: Date },
): Promise<boolean> =>
  move(
    tx,
    `status = 'SCHEDULED', scheduled_at = $5, is_local_time = $6, due_at = $7, failure = NULL
      WHERE ${ONE} AND status IN ('DRAFT', 'SCHEDULED')`,
    id,
    at,
    isLocalTime,
    dueAt,
  );

export const markPaused = (tx: Context, id: string): Promise<boolean> =>
  move(tx, `status = 'PAUSED', due_at = NULL, failure = NULL WHERE ${ONE} AND status = 'SENDING'`, id);

export const markResumed = (tx: Context, id: string): Promise<boolean> =>
  move(
    tx,
    `status = 'SENDING', failure = NULL, due_at = CASE WHEN journey_id IS NULL THEN $4::timestamptz END
      WHERE ${ONE} AND status = 'PAUSED'`,
    id,
  );

/** Cancels a campaign. A worker then marks the waiting recipients as skipped. */
export const markCancelled = (tx: Context, id: string): Promise<boolean> =>
  move(
    tx,
    `status = 'CANCELLED', failure = NULL, finished_at = $4, audience_to_id = NULL,
        due_at = CASE WHEN started_at IS NOT NULL AND journey_id IS NULL THEN $4::timestamptz END
      WHERE ${ONE} AND status IN ('SCHEDULED', 'SENDING', 'PAUSED')`,
    id,
  );

export const campaignsWithSegment = (
  ctx: Context,
  segmentId: string,
): Promise<{ readonly id: string; readonly name: string }[]> =>
  ctx.prisma.campaign.findMany({
    where: {
      status: { in: ['SCHEDULED', 'SENDING', 'PAUSED'] },
      OR: [{ includeIds: { has: segmentId } }, { excludeIds: { has: segmentId } }],
    },
    select: columns('id', 'name'),
    orderBy: { id: 'asc' },
  });
