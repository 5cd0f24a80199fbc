import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/loading/pages';
import { columns, inSql } from '@loyalty/prisma/columns';
import type { JourneyDefinition } from '../definition/journey-definition.ts';

export type JourneyKind = 'JOURNEY' | 'AUTOMATION';
export type JourneyStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';

export interface Journey {
  readonly id: string;
  readonly kind: JourneyKind;
  readonly name: string;
  readonly status: JourneyStatus;
  /** What is edited; members go through versions. */
  readonly draft: JourneyDefinition;
  /** Number of the version that members enter; null before the launch. */
  readonly version: number | null;
  readonly actor: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly launchedAt: Date | null;
}

const select = {
  ...columns('id', 'kind', 'name', 'status', 'draft', 'version'),
  ...columns('actor', 'createdAt', 'updatedAt', 'launchedAt'),
};
const sqlColumns = inSql(select);

export const journeyById: Loader<string, Journey> = loader(async (ctx, ids) => {
  const rows: Journey[] = await ctx.prisma.journey.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** The journey as it is now, not as the loader has kept it. */
export const readJourney = (ctx: Context, id: string): Promise<Journey | null> =>
  ctx.prisma.journey.findFirst({ where: { id }, select });

/** Journeys, without those of automations. */
export const journeysPage = (
  ctx: Context,
  request: PageRequest,
  status: JourneyStatus | null,
): Promise<Page<Journey>> =>
  pageOf(ctx.prisma.journey, request, { where: { kind: 'JOURNEY', ...(status && { status }) }, select });

export function insertDraft(ctx: Context, draft: Pick<Journey, 'id' | 'name' | 'draft'>): Promise<Journey> {
  const now = ctx.clock.now();
  const made = { actor: ctx.caller.actor, createdAt: now, updatedAt: now };
  const data = { ...draft, kind: 'JOURNEY', status: 'DRAFT', ...made } as const;
  return ctx.prisma.journey.create({ data, select });
}

/** What is null stays. Null where there is no such journey, or it has ended. */
export async function changeDraft(
  ctx: Context,
  id: string,
  { name, draft }: { readonly name: string | null; readonly draft: JourneyDefinition | null },
): Promise<Journey | null> {
  const [row] = await ctx.prisma.journey.updateManyAndReturn({
    where: { id, kind: 'JOURNEY', status: { not: 'ENDED' } },
    data: { ...(name !== null && { name }), ...(draft && { draft }), updatedAt: ctx.clock.now() },
    select,
  });
  return row ?? null;
}

/** False where it is no draft, or a campaign has it. */
export async function deleteDraft(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `DELETE FROM engagement.journeys AS j
      WHERE ${inScope('j')} AND j.id = $3 AND j.kind = 'JOURNEY' AND j.status = 'DRAFT'
        AND NOT EXISTS (SELECT FROM engagement.campaigns AS c WHERE ${inScope('c')} AND c.journey_id = j.id)
     RETURNING j.id`,
    [...scopeOf(ctx), id],
  );
  return rows.length > 0;
}

/** Locks a journey until the transaction ends; false where its draft or version is not what was read. */
export async function lockDraft(tx: Context, { id, draft, version }: Journey): Promise<boolean> {
  const rows = await tx.sql.query(
    `SELECT id FROM engagement.journeys
      WHERE ${inScope()} AND id = $3 AND draft = $4::jsonb AND version IS NOT DISTINCT FROM $5
        AND status <> 'ENDED' FOR UPDATE`,
    [...scopeOf(tx), id, JSON.stringify(draft), version],
  );
  return rows.length > 0;
}

/**
 * Counts the version on and makes the definition the draft, too; a journey that is unknown is made. Null
 * where it has ended, or is of another kind.
 */
export async function nextVersion(
  tx: Context,
  { id, kind, name, draft }: Pick<Journey, 'id' | 'kind' | 'name' | 'draft'>,
): Promise<number | null> {
  const [row] = await tx.sql.query<{ version: number }>(
    `INSERT INTO engagement.journeys AS j (workspace_id, mode, id, kind, name, status, draft, version, actor,
            created_at, updated_at, launched_at)
     VALUES ($1, $2::platform."Mode", $3, $4::engagement."JourneyKind", $5, 'ACTIVE', $6::jsonb, 1, $7, $8,
             $8, $8)
     ON CONFLICT (workspace_id, mode, id) DO UPDATE
        SET name = excluded.name, draft = excluded.draft, version = coalesce(j.version, 0) + 1,
            status = CASE WHEN j.status = 'DRAFT' THEN 'ACTIVE' ELSE j.status END,
            updated_at = excluded.updated_at, launched_at = coalesce(j.launched_at, excluded.launched_at)
      WHERE j.kind = excluded.kind AND j.status <> 'ENDED'
     RETURNING version`,
    [...scopeOf(tx), id, kind, name, JSON.stringify(draft), tx.caller.actor, tx.clock.now()],
  );
  return row?.version ?? null;
}

/** Sets the status where it is one of these; else false. */
export async function setStatus(
  tx: Context,
  id: string,
  { from, to }: { readonly from: readonly JourneyStatus[]; readonly to: JourneyStatus },
): Promise<boolean> {
  const { count } = await tx.prisma.journey.updateMany({
    where: { id, status: { in: [...from] } },
    data: { status: to, updatedAt: tx.clock.now() },
  });
  return count > 0;
}

/** Journeys and automations that have not ended and name a segment, in the draft or in a version. */
export const journeysWithSegment = (ctx: Context, segmentId: string): Promise<Journey[]> =>
  ctx.sql.query<Journey>(
    `SELECT ${sqlColumns} FROM engagement.journeys AS j
      WHERE ${inScope('j')} AND j.status <> 'ENDED'
        AND (jsonb_path_exists(j.draft, '$.** ? (@ == $id)', jsonb_build_object('id', $3::text))
             OR EXISTS (SELECT FROM engagement.journey_versions AS v
                         WHERE ${inScope('v')} AND v.journey_id = j.id
                           AND jsonb_path_exists(v.definition, '$.** ? (@ == $id)',
                                 jsonb_build_object('id', $3::text))))
      ORDER BY j.id`,
    [...scopeOf(ctx), segmentId],
  );
