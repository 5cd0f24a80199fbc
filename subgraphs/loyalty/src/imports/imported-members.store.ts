import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { insertMemberSql } from '../members/member-sql.ts';
import type { MemberStatus } from '../members/members.store.ts';

export interface NewImported {
  readonly id: string;
  readonly externalId: string;
  readonly status: MemberStatus;
  readonly createdAt: Date;
  readonly keySealed: Uint8Array;
  readonly emailIndex: string | null;
  readonly emailSealed: Uint8Array | null;
  readonly isUnsubscribed: boolean;
}

/** Sets the external ids of members that have none; does not replace an id that was set meanwhile. */
export async function linkMembers(
  tx: Context,
  links: readonly { readonly id: string; readonly externalId: string }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.sql.query(
    `UPDATE loyalty.members AS m SET external_id = l.external_id, updated_at = $3
       FROM unnest($4::uuid[], $5::text[]) AS l(id, external_id)
      WHERE ${inScope('m')} AND m.id = l.id
        AND m.external_id IS NULL AND m.status <> 'DELETED' AND NOT m.is_restricted`,
    [...scopeOf(tx), tx.clock.now(), links.map(({ id }) => id), links.map(({ externalId }) => externalId)],
  );
}

const NEW_MEMBERS = insertMemberSql(
  {
    id: 'e.id',
    externalId: 'e.external_id',
    status: 'e.status::loyalty."MemberStatus"',
    keySealed: 'e.key',
    emailIndex: 'e.email_index',
    emailSealed: 'e.email',
    enrollmentSource: `'IMPORT'`,
    isUnsubscribed: 'e.is_unsubscribed',
  },
  { now: '$3::timestamptz', createdAt: 'e.created_at' },
  {
    from: `
      FROM unnest($4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::bytea[], $9::text[],
                  $10::bytea[], $11::boolean[])
             AS e(id, external_id, status, created_at, key, email_index, email, is_unsubscribed)
      ON CONFLICT DO NOTHING`,
    returned: 'm.id',
  },
);

/**
 * Enrols members in one statement, except those whose address or external id was taken meanwhile.
 *
 * @returns the ids of the enrolled members
 */
export async function insertImported(
  tx: Context,
  members: readonly NewImported[],
): Promise<ReadonlySet<string>> {
  if (members.length === 0) return new Set();
  const rows = await tx.sql.query<{ id: string }>(`WITH ${NEW_MEMBERS} SELECT id FROM enrolled`, [
    ...scopeOf(tx),
    tx.clock.now(),
    ...arraysOf(
      members,
      'id',
      'externalId',
      'status',
      'createdAt',
      'keySealed',
      'emailIndex',
      'emailSealed',
      'isUnsubscribed',
    ),
  ]);
  return new Set(rows.map(({ id }) => id));
}
