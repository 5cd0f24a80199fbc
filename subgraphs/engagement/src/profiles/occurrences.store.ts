import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OccurrenceKind, OccurrenceRow } from './profiles.store.ts';

const GIVEN = `jsonb_to_recordset($3::jsonb)
  AS g("memberId" uuid, kind engagement."OccurrenceKind", name text, "occurredAt" timestamptz, "refId" uuid,
       "placeId" uuid, "amountMinor" bigint, data jsonb)`;

const PUT = `INSERT INTO engagement.occurrences AS old
    (workspace_id, mode, member_id, kind, name, occurred_at, ref_id, place_id, amount_minor, data)
  SELECT $1, $2::platform."Mode", g."memberId", g.kind, g.name, g."occurredAt", g."refId", g."placeId",
         g."amountMinor", g.data
    FROM ${GIVEN}
  ON CONFLICT (workspace_id, mode, member_id, kind, ref_id) DO UPDATE
     SET name = excluded.name, occurred_at = excluded.occurred_at, place_id = excluded.place_id,
         amount_minor = excluded.amount_minor, data = excluded.data
   WHERE (old.name, old.occurred_at, old.place_id, old.amount_minor, old.data)
         IS DISTINCT FROM
         (excluded.name, excluded.occurred_at, excluded.place_id, excluded.amount_minor, excluded.data)`;

/** Inserts or updates occurrences. */
export async function putOccurrences(tx: Context, occurrences: readonly OccurrenceRow[]): Promise<void> {
  if (occurrences.length === 0) return;
  await tx.sql.query(PUT, [...scopeOf(tx), JSON.stringify(occurrences)]);
}

/** Replaces the occurrences of these kinds of members by the given ones. */
export async function replaceOccurrences(
  tx: Context,
  wanted: { readonly memberIds: readonly string[]; readonly kinds: readonly OccurrenceKind[] },
  occurrences: readonly OccurrenceRow[],
): Promise<void> {
  if (wanted.memberIds.length === 0) return;
  await tx.sql.query(
    `WITH gone AS (
       DELETE FROM engagement.occurrences AS o
        WHERE ${inScope('o')} AND o.member_id = ANY($4::uuid[])
          AND o.kind = ANY($5::engagement."OccurrenceKind"[])
          AND NOT EXISTS (SELECT FROM ${GIVEN}
                           WHERE g."memberId" = o.member_id AND g.kind = o.kind AND g."refId" = o.ref_id)
     )
     ${PUT}`,
    [...scopeOf(tx), JSON.stringify(occurrences), wanted.memberIds, wanted.kinds],
  );
}

const copy = (where: string): string =>
  `INSERT INTO engagement.occurrences (workspace_id, mode, member_id, kind, name, occurred_at, ref_id)
   SELECT e.workspace_id, e.mode, e.member_id, 'TRACKED', e.event, e.occurred_at, e.id
     FROM engagement.tracking_events AS e
    WHERE ${inScope('e')} AND ${where}
   ON CONFLICT (workspace_id, mode, member_id, kind, ref_id) DO NOTHING`;

/** Copies tracked events of members who have a profile. */
export async function copyTracked(tx: Context, eventIds: readonly string[]): Promise<void> {
  await tx.sql.query(
    copy(`e.id = ANY($3::uuid[]) AND EXISTS (
            SELECT FROM engagement.profiles AS p WHERE ${inScope('p')} AND p.member_id = e.member_id)`),
    [...scopeOf(tx), eventIds],
  );
}

/** Copies all tracked events of members, beginning with an id. */
export async function copyTrackedOf(
  tx: Context,
  memberIds: readonly string[],
  fromId: string,
): Promise<void> {
  await tx.sql.query(copy('e.member_id = ANY($3::uuid[]) AND e.id >= $4'), [
    ...scopeOf(tx),
    memberIds,
    fromId,
  ]);
}

/** Returns the members of tracked events, with the names of the events. */
export const trackedMembers = (
  ctx: Context,
  eventIds: readonly string[],
): Promise<{ readonly memberId: string; readonly event: string }[]> =>
  ctx.sql.query(
    `SELECT DISTINCT e.member_id, e.event FROM engagement.tracking_events AS e
      WHERE ${inScope('e')} AND e.id = ANY($3::uuid[]) AND e.member_id IS NOT NULL`,
    [...scopeOf(ctx), eventIds],
  );

/**
 * Deletes the occurrences of records, and returns their members. The type and time of a record never change,
 * and the index begins with them.
 */
export const deleteRecords = (
  tx: Context,
  records: readonly { readonly id: string; readonly type: string; readonly createdAt: string }[],
): Promise<{ readonly memberId: string; readonly name: string }[]> =>
  tx.sql.query(
    `DELETE FROM engagement.occurrences AS o
      USING jsonb_to_recordset($3::jsonb) AS r(id uuid, type text, "createdAt" timestamptz)
      WHERE ${inScope('o')} AND o.kind = 'RECORD' AND o.name = r.type AND o.occurred_at = r."createdAt"
        AND o.ref_id = r.id
     RETURNING o.member_id, o.name`,
    [...scopeOf(tx), JSON.stringify(records.map(({ id, type, createdAt }) => ({ id, type, createdAt })))],
  );

/** Returns the occurrences of a member, for an export. */
export const occurrencesOf = (ctx: Context, memberId: string): Promise<Record<string, unknown>[]> =>
  ctx.sql.query(
    `SELECT kind, name, occurred_at, ref_id, place_id,
            amount_minor::float8 AS amount_minor, data
       FROM engagement.occurrences WHERE ${inScope()} AND member_id = $3
      ORDER BY occurred_at, kind, ref_id`,
    [...scopeOf(ctx), memberId],
  );
