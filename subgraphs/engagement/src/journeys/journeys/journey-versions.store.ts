import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Placed, pageLoader } from '@loyalty/platform/loading/page-loader';
import { type RoleTrigger, triggersOf } from '../definition/event-triggers.ts';
import type { JourneyDefinition } from '../definition/journey-definition.ts';

/** A definition that was launched; it never changes. */
export interface JourneyVersion {
  /** The number, as cursors have it. */
  readonly id: string;
  readonly journeyId: string;
  readonly number: number;
  readonly definition: JourneyDefinition;
  readonly actor: string;
  readonly createdAt: Date;
}

const columns = `v.number::text AS id, v.journey_id, v.number, v.definition, v.actor, v.created_at`;

/** Versions by `versionKey`. */
export const versionByKey = loader(async (ctx, keys: readonly string[]) => {
  const wanted = keys.map((key) => key.split('/'));
  const rows = await ctx.sql.query<JourneyVersion>(
    `SELECT ${columns}
       FROM ${rowsOf('$3::uuid[], $4::int[]')} AS w(journey_id, number)
       JOIN engagement.journey_versions AS v
         ON ${inScope('v')} AND v.journey_id = w.journey_id AND v.number = w.number`,
    [...scopeOf(ctx), wanted.map(([id]) => id), wanted.map(([, number]) => Number(number))],
  );
  return new Map(rows.map((row) => [versionKey(row.journeyId, row.number), row]));
});

export const versionKey = (journeyId: string, number: number): string => `${journeyId}/${number}`;

/** Parts of the lists of versions of journeys, newest first. */
export const versionsOfJourney = pageLoader<string, JourneyVersion>((ctx, wanted) => {
  const { owners, limits, offsets, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<Placed<JourneyVersion>>(
    `SELECT w.place, found.*
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::int[], $6::int[]')} WITH ORDINALITY
         AS w(journey_id, rows, skip, cursor_number, place)
      CROSS JOIN LATERAL (
        SELECT ${columns} FROM engagement.journey_versions AS v
         WHERE ${inScope('v')} AND v.journey_id = w.journey_id
           AND (w.cursor_number IS NULL OR v.number ${beyond} w.cursor_number)
         ORDER BY v.number ${order} LIMIT w.rows OFFSET w.skip) AS found
      ORDER BY w.place, found.number ${order}`,
    [...scopeOf(ctx), owners, limits, offsets, cursorIds.map((id) => (id === null ? null : Number(id)))],
  );
});

/** Its number is that of the journey since this transaction, so nobody else can write it. */
export async function insertVersion(
  tx: Context,
  version: Pick<JourneyVersion, 'journeyId' | 'number' | 'definition'>,
): Promise<void> {
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  await tx.prisma.journeyVersion.createMany({ data: [{ ...version, ...made }] });
}

/**
 * The events that a journey listens to from now on. New members enter by the new definition alone; members
 * who are on earlier versions still wait for what those name.
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

/** A journey that has ended listens to nothing. */
export async function deleteTriggers(tx: Context, journeyId: string): Promise<void> {
  await tx.prisma.journeyTrigger.deleteMany({ where: { journeyId } });
}
