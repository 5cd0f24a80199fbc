import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { activeStatus, insertMemberSql } from '../members/member-sql.ts';
import { possibleMemberIds } from '../members/members.input.ts';
import type { MemberDetails } from '../members/members.store.ts';

const scoped = inScope('m');

/** Rows changed while a batch was written: one to insert exists already. */
class Collision extends Error {
  override readonly name = 'Collision';
}

/**
 * Another writer took an address or an external id first, or two batches deadlocked: the rows must be read
 * again.
 */
const isCollision = (error: unknown): boolean =>
  error instanceof Collision || failedWith(error, 'UNIQUE_VIOLATION', 'DEADLOCK_DETECTED');

/** Runs `work`; a collision rolls back only `work`, not the rest of the transaction, and returns null. */
export async function attempt<T>(tx: Context, work: () => Promise<T>): Promise<T | null> {
  await tx.sql.query('SAVEPOINT member_batch');
  try {
    const result = await work();
    await tx.sql.query('RELEASE SAVEPOINT member_batch');
    return result;
  } catch (error) {
    if (!isCollision(error)) throw error;
    await tx.sql.query('ROLLBACK TO SAVEPOINT member_batch');
    return null;
  }
}

/** A member whose address is in the batch. */
export interface MemberInBatch {
  readonly id: string;
  readonly emailIndex: string;
  readonly keySealed: Uint8Array | null;
}

/**
 * Returns members by address and locks them until the transaction ends, in the order of their ids so that
 * batches queue.
 */
export async function lockByAddress(tx: Context, emailIndexes: readonly string[]): Promise<MemberInBatch[]> {
  const { workspaceId, mode } = tx.scope;
  return tx.sql.query<MemberInBatch>(
    `SELECT m.id, m.email_index, m.key_sealed FROM loyalty.members AS m
      WHERE ${scoped} AND m.email_index = ANY($3::text[]) ORDER BY m.id FOR NO KEY UPDATE`,
    [workspaceId, mode, emailIndexes],
  );
}

/** Returns the ids of the members that have these external ids now, or have one of them as their own id. */
export async function ownersOf(tx: Context, externalIds: readonly string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const { workspaceId, mode } = tx.scope;
  const rows = await tx.sql.query<{ id: string; externalId: string }>(
    `SELECT m.id, m.external_id FROM loyalty.members AS m
      WHERE ${scoped} AND (m.external_id = ANY($3::text[]) OR m.id = ANY($4::uuid[]))`,
    [workspaceId, mode, externalIds, possibleMemberIds(externalIds)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const namedById = externalIds.filter((externalId) => known.has(externalId.toLowerCase()));
  return new Map([
    ...namedById.map((externalId): [string, string] => [externalId, externalId.toLowerCase()]),
    ...rows.map(({ id, externalId }): [string, string] => [externalId, id]),
  ]);
}

export interface NewRow {
  readonly id: string;
  readonly emailIndex: string;
  readonly keySealed: Uint8Array;
  readonly emailSealed: Uint8Array;
  readonly isUnsubscribed: boolean;
  readonly details: MemberDetails;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

export interface ChangedRow {
  readonly id: string;
  readonly details: MemberDetails;
  readonly set: Readonly<Record<string, unknown>>;
  readonly cleared: readonly string[];
}

/** Columns of a record of details; sealed values are sent as base64. */
const detailColumns = `id uuid, sent text[], "nameSealed" text, "phoneSealed" text, "birthSealed" text,
  "externalId" text, "programId" text, "homeStoreId" uuid, locale text,
  "timeZone" text`;

/** Returns details as a record with a list of the sent fields, because a sent null clears a field. */
function recordOf(details: MemberDetails): Record<string, unknown> {
  const entries = Object.entries(details).map(([field, value]) => [
    field,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ]);
  return { sent: Object.keys(details), ...Object.fromEntries(entries) };
}

const decoded = (field: string): string => `decode(r."${field}", 'base64')`;

const NEW_MEMBERS = insertMemberSql(
  {
    id: 'r.id',
    emailIndex: 'r."emailIndex"',
    keySealed: decoded('keySealed'),
    emailSealed: decoded('emailSealed'),
    nameSealed: decoded('nameSealed'),
    phoneSealed: decoded('phoneSealed'),
    birthSealed: decoded('birthSealed'),
    externalId: 'r."externalId"',
    programId: 'r."programId"',
    homeStoreId: 'r."homeStoreId"',
    locale: 'r.locale',
    timeZone: 'r."timeZone"',
    status: activeStatus('r."isUnsubscribed"'),
    enrollmentSource: `'API'`,
    isUnsubscribed: 'r."isUnsubscribed"',
    customAttributes: 'r."customAttributes"',
  },
  { now: '$4::timestamptz' },
  {
    from: `
      FROM jsonb_to_recordset($3::jsonb) AS r(${detailColumns}, "emailIndex" text, "keySealed" text,
             "emailSealed" text, "customAttributes" jsonb, "isUnsubscribed" boolean)
     ORDER BY r."emailIndex"
      ON CONFLICT DO NOTHING`,
    returned: 'm.id',
  },
);

/** Enrols members in one statement, all or none. */
export async function insertRows(tx: Context, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { workspaceId, mode } = tx.scope;
  const records = rows.map(({ keySealed, emailSealed, details, ...row }) => ({
    ...recordOf({ ...details }),
    ...row,
    keySealed: Buffer.from(keySealed).toString('base64'),
    emailSealed: Buffer.from(emailSealed).toString('base64'),
  }));
  const inserted = await tx.sql.query(`WITH ${NEW_MEMBERS} SELECT 1 FROM enrolled`, [
    workspaceId,
    mode,
    JSON.stringify(records),
    tx.clock.now(),
  ]);
  if (inserted.length < rows.length) throw new Collision();
}

/** Sets a column to the sent value; a column without a sent value does not change. */
const setWhereSent = (column: string, field: string, value = `r."${field}"`): string =>
  `${column} = CASE WHEN '${field}' = ANY(r.sent) THEN ${value} ELSE m.${column} END`;

/** Changes members in one statement; `lockByAddress` has locked them. */
export async function changeRows(tx: Context, rows: readonly ChangedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { workspaceId, mode } = tx.scope;
  const records = rows.map(({ id, details, set, cleared }) => ({ ...recordOf(details), id, set, cleared }));
  await tx.sql.query(
    `UPDATE loyalty.members AS m
        SET ${setWhereSent('name_sealed', 'nameSealed', decoded('nameSealed'))},
            ${setWhereSent('phone_sealed', 'phoneSealed', decoded('phoneSealed'))},
            ${setWhereSent('birth_sealed', 'birthSealed', decoded('birthSealed'))},
            ${setWhereSent('external_id', 'externalId')}, ${setWhereSent('program_id', 'programId')},
            ${setWhereSent('home_store_id', 'homeStoreId')}, ${setWhereSent('locale', 'locale')},
            ${setWhereSent('time_zone', 'timeZone')},
            custom_attributes = (m.custom_attributes || r.set) - r.cleared, updated_at = $4
       FROM jsonb_to_recordset($3::jsonb) AS r(${detailColumns}, set jsonb, cleared text[])
      WHERE ${scoped} AND m.id = r.id`,
    [workspaceId, mode, JSON.stringify(records), tx.clock.now()],
  );
}
