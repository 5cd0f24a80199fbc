import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** The search terms of a member. */
export interface MemberTerms {
  readonly memberId: string;
  readonly terms: readonly bigint[];
}

/** Replaces the search terms of members. */
export async function putTerms(tx: Context, members: readonly MemberTerms[]): Promise<void> {
  if (members.length === 0) return;
  await tx.sql.query(
    `INSERT INTO loyalty.member_search (workspace_id, mode, member_id, terms)
     SELECT $1, $2::platform."Mode", e.id, e.terms::bigint[]
       FROM ${rowsOf('$3::uuid[], $4::text[]')} AS e(id, terms)
         ON CONFLICT (workspace_id, mode, member_id) DO UPDATE SET terms = EXCLUDED.terms`,
    [
      ...scopeOf(tx),
      members.map(({ memberId }) => memberId),
      members.map(({ terms }) => `{${terms.join(',')}}`),
    ],
  );
}

/** The sealed values from which search terms are made. */
export interface SealedNames {
  readonly id: string;
  readonly keySealed: Uint8Array;
  readonly nameSealed: Uint8Array | null;
  readonly phoneSealed: Uint8Array | null;
}

const HAS_NAMES = '(m.name_sealed IS NOT NULL OR m.phone_sealed IS NOT NULL)';

const sealedNames = `m.id, m.key_sealed, m.name_sealed, m.phone_sealed`;

/** Returns the sealed names of these members; members without a name and phone are left out. */
export const namesOf = (tx: Context, ids: readonly string[]): Promise<SealedNames[]> =>
  tx.sql.query<SealedNames>(
    `SELECT ${sealedNames} FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.key_sealed IS NOT NULL AND ${HAS_NAMES}`,
    [...scopeOf(tx), ids],
  );

/** Returns and locks the sealed names of members in a range of ids that have no search terms yet. */
export const lockMissing = (
  tx: Context,
  { afterId, toId }: { readonly afterId: string; readonly toId: string },
): Promise<SealedNames[]> =>
  tx.sql.query<SealedNames>(
    `SELECT ${sealedNames} FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.id > $3 AND m.id <= $4 AND m.key_sealed IS NOT NULL AND ${HAS_NAMES}
        AND NOT EXISTS (SELECT 1 FROM loyalty.member_search AS s
                         WHERE ${inScope('s')} AND s.member_id = m.id)
      ORDER BY m.id FOR NO KEY UPDATE`,
    [...scopeOf(tx), afterId, toId],
  );
