import type { Context } from '@loyalty/platform/context';
import { possibleMemberIds } from '../members/external-ids.ts';
import type { MemberDetails } from '../members/members.store.ts';

const scoped = 'm.workspace_id = $1 AND m.mode = $2::platform."Mode"';

/**
 * 23505: another writer took an address or an external id first; 40P01: two batches waited crosswise. Either
 * way the rows have to be looked at anew.
 */
const collisions = ['23505', '40P01'];

/** Says that rows changed under a batch, as PostgreSQL would. */
export const collision = (): Error => Object.assign(new Error('rows changed meanwhile'), { code: '23505' });

/** Runs `work` so that a collision undoes it and nothing else of the transaction; null then. */
export async function attempt<T>(tx: Context, work: () => Promise<T>): Promise<T | null> {
  await tx.sql.query('SAVEPOINT member_batch');
  try {
    const result = await work();
    await tx.sql.query('RELEASE SAVEPOINT member_batch');
    return result;
  } catch (error) {
    if (!collisions.includes((error as { code?: string }).code ?? '')) throw error;
    await tx.sql.query('ROLLBACK TO SAVEPOINT member_batch');
    return null;
  }
}

/** A member whose address is in the batch. */
export interface KnownMember {
  readonly id: string;
  readonly emailIndex: string;
  readonly keySealed: Uint8Array | null;
}

/** Members by address, held until the transaction ends, in the order of their ids so that batches queue. */
export async function lockByAddress(tx: Context, emailIndexes: readonly string[]): Promise<KnownMember[]> {
  const { workspaceId, mode } = tx.scope;
  return tx.sql.query<KnownMember>(
    `SELECT m.id, m.email_index AS "emailIndex", m.key_sealed AS "keySealed" FROM loyalty.members AS m
      WHERE ${scoped} AND m.email_index = ANY($3::text[]) ORDER BY m.id FOR NO KEY UPDATE`,
    [workspaceId, mode, emailIndexes],
  );
}

/** Who has these external ids now, or has one of them as its id. */
export async function ownersOf(tx: Context, externalIds: readonly string[]): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map();
  const { workspaceId, mode } = tx.scope;
  const rows = await tx.sql.query<{ id: string; externalId: string }>(
    `SELECT m.id, m.external_id AS "externalId" FROM loyalty.members AS m
      WHERE ${scoped} AND (m.external_id = ANY($3::text[]) OR m.id = ANY($4::uuid[]))`,
    [workspaceId, mode, externalIds, possibleMemberIds(externalIds)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const meant = externalIds.filter((externalId) => known.has(externalId.toLowerCase()));
  return new Map([
    ...meant.map((externalId): [string, string] => [externalId, externalId.toLowerCase()]),
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

/** Columns of a record that carries details; sealed ones travel as base64. */
const detailColumns = `id uuid, said text[], "nameSealed" text, "phoneSealed" text, "birthSealed" text,
  "externalId" text, "programId" text, "homeStoreId" uuid, locale text`;

/** Details as a record: what was said is listed, because a null that was said clears. */
function recordOf(details: MemberDetails): Record<string, unknown> {
  const entries = Object.entries(details).map(([field, value]) => [
    field,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ]);
  return { said: Object.keys(details), ...Object.fromEntries(entries) };
}

/** Enrols members in one statement, all or none; a tier from 0 points is entered at once. */
export async function insertRows(tx: Context, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { workspaceId, mode } = tx.scope;
  const records = rows.map(({ keySealed, emailSealed, details, ...row }) => ({
    ...recordOf({ ...details }),
    ...row,
    keySealed: Buffer.from(keySealed).toString('base64'),
    emailSealed: Buffer.from(emailSealed).toString('base64'),
  }));
  const inserted = await tx.sql.query(
    `INSERT INTO loyalty.members AS m
       (workspace_id, mode, id, email_index, key_sealed, email_sealed, name_sealed, phone_sealed,
        birth_sealed, external_id, program_id, home_store_id, locale, status, enrollment_source,
        custom_attributes, is_unsubscribed, current_tier_id, last_activity_at, created_at, updated_at)
     SELECT $1::uuid, $2::platform."Mode", r.id, r."emailIndex", decode(r."keySealed", 'base64'),
            decode(r."emailSealed", 'base64'), decode(r."nameSealed", 'base64'),
            decode(r."phoneSealed", 'base64'), decode(r."birthSealed", 'base64'), r."externalId",
            r."programId", r."homeStoreId", r.locale,
            (CASE WHEN r."isUnsubscribed" THEN 'UNSUBSCRIBED' ELSE 'ACTIVE' END)::loyalty."MemberStatus",
            'API', r."customAttributes", r."isUnsubscribed",
            (SELECT id FROM loyalty.tiers WHERE workspace_id = $1 AND upgrade_threshold <= 0
              ORDER BY rank DESC LIMIT 1), $4, $4, $4
       FROM jsonb_to_recordset($3::jsonb) AS r(${detailColumns}, "emailIndex" text, "keySealed" text,
              "emailSealed" text, "customAttributes" jsonb, "isUnsubscribed" boolean)
      ORDER BY r."emailIndex"
     ON CONFLICT DO NOTHING
     RETURNING m.id`,
    [workspaceId, mode, JSON.stringify(records), tx.clock.now()],
  );
  if (inserted.length < rows.length) throw collision();
}

/** What a column becomes: the said value, or what it is. */
const becomes = (column: string, field: string, value = `r."${field}"`): string =>
  `${column} = CASE WHEN '${field}' = ANY(r.said) THEN ${value} ELSE m.${column} END`;
const opened = (field: string): string => `decode(r."${field}", 'base64')`;

/** Changes members in one statement; they are held by `lockByAddress`. */
export async function changeRows(tx: Context, rows: readonly ChangedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { workspaceId, mode } = tx.scope;
  const records = rows.map(({ id, details, set, cleared }) => ({ ...recordOf(details), id, set, cleared }));
  await tx.sql.query(
    `UPDATE loyalty.members AS m
        SET ${becomes('name_sealed', 'nameSealed', opened('nameSealed'))},
            ${becomes('phone_sealed', 'phoneSealed', opened('phoneSealed'))},
            ${becomes('birth_sealed', 'birthSealed', opened('birthSealed'))},
            ${becomes('external_id', 'externalId')}, ${becomes('program_id', 'programId')},
            ${becomes('home_store_id', 'homeStoreId')}, ${becomes('locale', 'locale')},
            custom_attributes = (m.custom_attributes || r.set) - r.cleared, updated_at = $4
       FROM jsonb_to_recordset($3::jsonb) AS r(${detailColumns}, set jsonb, cleared text[])
      WHERE ${scoped} AND m.id = r.id`,
    [workspaceId, mode, JSON.stringify(records), tx.clock.now()],
  );
}
