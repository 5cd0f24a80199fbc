import type { Context, Loader } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/database/page-loader';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';
import { type RoleTrigger, triggersOf } from './event-triggers.ts';
import type { JourneyDefinition } from './journey-definition.ts';

export type JourneyKind = 'JOURNEY' | 'AUTOMATION';

export type JourneyStatus = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';

export interface Journey {
  readonly id: string;
  readonly kind: JourneyKind;
  readonly name: string;
  readonly status: JourneyStatus;
  /** The edited definition. Members use versions. */
  readonly draft: JourneyDefinition;
  /** Number of the current version, which members enter; null before the launch. */
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

/** Reads a journey without the cache of the loader. */
export const readJourney = (ctx: Context, id: string): Promise<Journey | null> =>
  ctx.prisma.journey.findFirst({ where: { id }, select });

/** A page of journeys, without those of automations. */
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

/** Changes a draft. Null fields do not change. Returns null if the journey is unknown or has ended. */
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

/** Deletes a draft. Returns false if the journey is not a draft, or belongs to a campaign. */
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

/**
 * Locks a journey until the transaction ends. Returns false if its draft or version has changed since it was
 * read.
 */
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
 * Increments the version and also stores the definition as the draft. Creates an unknown journey. Returns
 * null if the journey has ended or has another kind.
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

/** Sets the status if it is one of `from`; else returns false. */
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

/** Returns journeys and automations that have not ended and use a segment, in the draft or in a version. */
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

/** A launched definition, which never changes. */
export interface JourneyVersion {
  /** The number as text, for cursors. */
  readonly id: string;
  readonly journeyId: string;
  readonly number: number;
  readonly definition: JourneyDefinition;
  readonly actor: string;
  readonly createdAt: Date;
}

const versionColumns = `v.number::text AS id, v.journey_id, v.number, v.definition, v.actor, v.created_at`;

/** Versions by `versionKey`. */
export const versionByKey = loader(async (ctx, keys: readonly string[]) => {
  const wanted = keys.map((key) => key.split('/'));
  const rows = await ctx.sql.query<JourneyVersion>(
    `SELECT ${versionColumns}
       FROM ${rowsOf('$3::uuid[], $4::int[]')} AS w(journey_id, number)
       JOIN engagement.journey_versions AS v
         ON ${inScope('v')} AND v.journey_id = w.journey_id AND v.number = w.number`,
    [...scopeOf(ctx), wanted.map(([id]) => id), wanted.map(([, number]) => Number(number))],
  );
  return new Map(rows.map((row) => [versionKey(row.journeyId, row.number), row]));
});

export const versionKey = (journeyId: string, number: number): string => `${journeyId}/${number}`;

/** Pages of versions of journeys, newest first. */
export const versionsOfJourney = pageLoader<string, JourneyVersion>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<JourneyVersion>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::int[]')} WITH ORDINALITY
         AS w(journey_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${versionColumns} FROM engagement.journey_versions AS v
         WHERE ${inScope('v')} AND v.journey_id = w.journey_id
           AND (w.cursor_number IS NULL OR v.number ${beyond} w.cursor_number)
         ORDER BY v.number ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.number ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds.map((id) => (id === null ? null : Number(id)))],
  );
});

/**
 * Inserts a version. Its number was set on the journey in this transaction, so no other transaction can write
 * it.
 */
export async function insertVersion(
  tx: Context,
  version: Pick<JourneyVersion, 'journeyId' | 'number' | 'definition'>,
): Promise<void> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  await tx.prisma.journeyVersion.createMany({ data: [{ ...version, ...made }] });
}

/**
 * Replaces the events that a journey listens to. New members enter only by the new definition. Members of
 * earlier versions still wait for the events of their versions.
 */
export async function replaceTriggers(
  tx: Context,
  journeyId: string,
  definition: JourneyDefinition,
): Promise<void> {
  await tx.prisma.journeyTrigger.deleteMany({ where: { journeyId, role: 'ENTRY' } });
  const triggers: readonly RoleTrigger[] = triggersOf(definition);
  await tx.prisma.journeyTrigger.createMany({
    data: triggers.map(({ role, event }) => ({ journeyId, role, eventType: event.type })),
    skipDuplicates: true,
  });
}

/** Deletes the triggers of an ended journey. */
export async function deleteTriggers(tx: Context, journeyId: string): Promise<void> {
  await tx.prisma.journeyTrigger.deleteMany({ where: { journeyId } });
}
