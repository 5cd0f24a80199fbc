import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { indexNewMembers } from '../members/member-search.service.ts';
import { activeStatus, insertMemberSql } from '../members/member-sql.ts';
import { possibleMemberIds } from '../members/members.input.ts';
import type { MemberStatus } from '../members/members.store.ts';
import type { SealedMemberKey } from '../members/sealing.ts';
import { copyMembers } from './copied-members.store.ts';
import { type MemberToWrite, type NewMember, sealedRow } from './imported-member.ts';

/** From this number of members on, COPY in a savepoint is faster than INSERT. */
export const COPIED_FROM = 100;

/** A member with an address or external id of the file. */
export interface FileMember extends SealedMemberKey {
  readonly status: MemberStatus;
}

interface Wanted {
  readonly emailIndexes: readonly string[];
  readonly externalIds: readonly string[];
}

/** Whether a member has one of the addresses or external ids. */
export async function hasKnown(tx: Context, { emailIndexes, externalIds }: Wanted): Promise<boolean> {
  const [row] = await tx.sql.query<{ isKnown: boolean }>(
    `SELECT EXISTS (SELECT FROM unnest($3::text[]) AS w(name)
                      JOIN loyalty.members AS e ON ${inScope('e')} AND e.email_index = w.name)
         OR EXISTS (SELECT FROM unnest($4::text[]) AS w(name)
                      JOIN loyalty.members AS e ON ${inScope('e')} AND e.external_id = w.name) AS is_known`,
    [...scopeOf(tx), emailIndexes, externalIds],
  );
  return row!.isKnown;
}

/**
 * Returns members that have one of the addresses or external ids, or an external id as their own id; locks
 * them until the commit.
 */
export async function findKnown(
  tx: Context,
  wanted: Wanted,
): Promise<{
  readonly byEmail: ReadonlyMap<string, FileMember>;
  readonly byExternalId: ReadonlyMap<string, string>;
}> {
  const rows = await tx.sql.query<FileMember & { emailIndex: string | null; externalId: string | null }>(
    `SELECT m.id, m.status, m.key_sealed, m.email_index, m.external_id
       FROM loyalty.members AS m
       JOIN (SELECT e.id FROM unnest($3::text[]) AS w(name)
               JOIN loyalty.members AS e
                 ON ${inScope('e')} AND e.email_index = w.name
              UNION
             SELECT e.id FROM unnest($4::text[]) AS w(name)
               JOIN loyalty.members AS e
                 ON ${inScope('e')} AND e.external_id = w.name
              UNION
             SELECT unnest($5::uuid[])) AS k
         ON k.id = m.id
      WHERE ${inScope('m')}
      ORDER BY m.id FOR UPDATE OF m`,
    [...scopeOf(tx), wanted.emailIndexes, wanted.externalIds, possibleMemberIds(wanted.externalIds)],
  );
  const ids = new Set(rows.map(({ id }) => id));
  const named = wanted.externalIds.filter((externalId) => ids.has(externalId.toLowerCase()));
  return {
    byEmail: new Map(rows.flatMap((row) => (row.emailIndex ? [[row.emailIndex, row]] : []))),
    byExternalId: new Map([
      ...named.map((externalId): [string, string] => [externalId, externalId.toLowerCase()]),
      ...rows.flatMap(({ id, externalId }): [string, string][] => (externalId ? [[externalId, id]] : [])),
    ]),
  };
}

const UNNESTED = `unnest($4::uuid[], $5::bytea[], $6::bytea[], $7::bytea[], $8::text[], $9::text[],
              $10::uuid[], $11::text[], $12::text[], $13::jsonb[])
         AS e(id, name, phone, birth, external_id, program_id, home_store_id, locale, time_zone,
              attributes)`;

const NEW_MEMBERS = insertMemberSql(
  {
    id: 'e.id',
    keySealed: 'n.key',
    emailIndex: 'n.email_index',
    emailSealed: 'n.email',
    nameSealed: 'e.name',
    phoneSealed: 'e.phone',
    birthSealed: 'e.birth',
    externalId: 'e.external_id',
    programId: 'e.program_id',
    homeStoreId: 'e.home_store_id',
    locale: 'e.locale',
    timeZone: 'e.time_zone',
    status: activeStatus('n.is_unsubscribed'),
    enrollmentSource: `'IMPORT'`,
    customAttributes: 'e.attributes',
    isUnsubscribed: 'n.is_unsubscribed',
  },
  { now: '$3::timestamptz' },
  {
    from: `
      FROM ${UNNESTED}
      JOIN unnest($4::uuid[], $14::bytea[], $15::text[], $16::bytea[], $17::boolean[])
             AS n(id, key, email_index, email, is_unsubscribed) ON n.id = e.id
     ORDER BY n.email_index
      ON CONFLICT DO NOTHING`,
    returned: 'm.email_index',
  },
);

/**
 * Enrols members in the order of their addresses, so that two imports of the same people wait for each other
 * without a deadlock. Returns the address indexes of the enrolled members; another call enrolled the others
 * meanwhile.
 */
export async function insertMembers(
  tx: Context,
  members: readonly NewMember[],
): Promise<ReadonlySet<string>> {
  if (members.length === 0) return new Set();
  if (members.length >= COPIED_FROM && (await copyMembers(tx, members)))
    return new Set(members.map(({ emailIndex }) => emailIndex));
  const keys = await tx.services.keyring.of(tx.scope.workspaceId);
  const sealed = members.map((member) => sealedRow(keys, member));
  const rows = await tx.sql.query<{ emailIndex: string }>(
    `WITH ${NEW_MEMBERS} SELECT email_index FROM enrolled`,
    [
      ...scopeOf(tx),
      tx.clock.now(),
      ...columnsOf(sealed),
      ...arraysOf(sealed, 'keySealed', 'emailIndex', 'emailSealed', 'isUnsubscribed'),
    ],
  );
  const enrolled = new Set(rows.map(({ emailIndex }) => emailIndex));
  await indexNewMembers(
    tx,
    members.filter(({ emailIndex }) => enrolled.has(emailIndex)),
  );
  return enrolled;
}

/** Changes members in one statement: absent fields do not change, attributes are merged. */
export async function changeMembers(tx: Context, members: readonly MemberToWrite[]): Promise<void> {
  if (members.length === 0) return;
  await tx.sql.query(
    `UPDATE loyalty.members AS m
        SET name_sealed = coalesce(e.name, m.name_sealed), phone_sealed = coalesce(e.phone, m.phone_sealed),
            birth_sealed = coalesce(e.birth, m.birth_sealed),
            external_id = coalesce(e.external_id, m.external_id),
            program_id = coalesce(e.program_id, m.program_id),
            home_store_id = coalesce(e.home_store_id, m.home_store_id), locale = coalesce(e.locale, m.locale),
            time_zone = coalesce(e.time_zone, m.time_zone),
            custom_attributes = m.custom_attributes || e.attributes, updated_at = $3
       FROM ${UNNESTED}
      WHERE ${inScope('m')} AND m.id = e.id AND m.status <> 'DELETED'`,
    [...scopeOf(tx), tx.clock.now(), ...columnsOf(members)],
  );
}

const columnsOf = (members: readonly MemberToWrite[]): unknown[][] => [
  members.map(({ id }) => id),
  members.map(({ nameSealed }) => nameSealed ?? null),
  members.map(({ phoneSealed }) => phoneSealed ?? null),
  members.map(({ birthSealed }) => birthSealed ?? null),
  members.map(({ externalId }) => externalId ?? null),
  members.map(({ programId }) => programId ?? null),
  members.map(({ homeStoreId }) => homeStoreId ?? null),
  members.map(({ locale }) => locale ?? null),
  members.map(({ timeZone }) => timeZone ?? null),
  members.map(({ customAttributes }) => JSON.stringify(customAttributes)),
];
