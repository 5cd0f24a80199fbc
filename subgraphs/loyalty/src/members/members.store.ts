import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { memberColumns } from './member-sql.ts';

export type MemberStatus =
  | 'PENDING'
  | 'ACTIVE'
  | 'UNSUBSCRIBED'
  | 'INACTIVE'
  | 'DEACTIVATION_PENDING'
  | 'DELETED';
export type EnrollmentSource = 'API' | 'QR' | 'PORTAL' | 'WEB' | 'IMPORT';

/** A member as it is stored; sealed fields are decrypted only on request. */
export interface Member {
  readonly id: string;
  readonly emailIndex: string | null;
  /** The member's own key, which seals the fields below; null after the member is erased. */
  readonly keySealed: Uint8Array | null;
  readonly emailSealed: Uint8Array | null;
  readonly nameSealed: Uint8Array | null;
  readonly phoneSealed: Uint8Array | null;
  readonly birthSealed: Uint8Array | null;
  readonly externalId: string | null;
  readonly programId: string | null;
  readonly homeStoreId: string | null;
  readonly locale: string | null;
  /** IANA name. */
  readonly timeZone: string | null;
  readonly status: MemberStatus;
  readonly enrollmentSource: EnrollmentSource;
  readonly isRestricted: boolean;
  readonly customAttributes: Readonly<Record<string, unknown>>;
  readonly pointsBalance: number;
  readonly pointsEarned: bigint;
  /** Number of entries in the member's ledger. */
  readonly pointsSequence: number;
  readonly currentTierId: string | null;
  readonly eraseAfter: Date | null;
  readonly erasedAt: Date | null;
  readonly lastActivityAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** True if only this member was requested; otherwise personal fields are masked. */
  readonly isUnmasked?: boolean;
  /** The page of a list that contains the member; staff may read the names of such a page. */
  readonly page?: MemberPage;
}

/** Ids of the members on a page; at least one. */
export type MemberPage = readonly string[];

const scoped = inScope('m');

/** Loads members by id, including erased ones, so that references to them still resolve. */
export const memberById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m WHERE ${scoped} AND m.id = ${anyOf('$3::uuid[]')}`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns the member without the loader's cache. */
export async function findMember(ctx: Context, id: string): Promise<Member | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m WHERE ${scoped} AND m.id = $3`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/** Returns the member and locks it against erasure until the transaction ends; null if erased or unknown. */
export async function lockMember(tx: Context, id: string): Promise<Member | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m
      WHERE ${scoped} AND m.id = $3 AND m.status <> 'DELETED' FOR KEY SHARE`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/**
 * Locks members until the transaction ends, always in the order of ids, so that two callers cannot deadlock.
 *
 * @returns ids of the members that are not erased
 */
export async function lockMembersForUpdate(tx: Context, ids: readonly string[]): Promise<string[]> {
  const { workspaceId, mode } = tx.scope;
  const rows = await tx.sql.query<Pick<Member, 'id' | 'status'>>(
    `SELECT m.id, m.status FROM loyalty.members AS m
      WHERE ${scoped} AND m.id = ANY($3::uuid[]) ORDER BY m.id FOR NO KEY UPDATE`,
    [workspaceId, mode, ids],
  );
  return rows.filter(({ status }) => status !== 'DELETED').map(({ id }) => id);
}

/** Details that a write may set; absent ones do not change, null clears. */
export interface MemberDetails {
  readonly nameSealed?: Uint8Array | null;
  readonly phoneSealed?: Uint8Array | null;
  readonly birthSealed?: Uint8Array | null;
  readonly externalId?: string | null;
  readonly programId?: string | null;
  readonly homeStoreId?: string | null;
  readonly locale?: string | null;
  readonly timeZone?: string | null;
}

/** Returns every workspace and mode with members; each takes one step in the index. */
export const scopesWithMembers = (ctx: Context): Promise<Scope[]> =>
  ctx.sql.query<Scope>(
    `/* every workspace */ WITH RECURSIVE scopes AS (
       (SELECT workspace_id, mode FROM loyalty.members ORDER BY workspace_id, mode LIMIT 1)
       UNION ALL
       SELECT further.* FROM scopes CROSS JOIN LATERAL (
         SELECT m.workspace_id, m.mode FROM loyalty.members AS m
          WHERE (m.workspace_id, m.mode) > (scopes.workspace_id, scopes.mode)
          ORDER BY m.workspace_id, m.mode LIMIT 1) AS further)
     SELECT workspace_id, mode FROM scopes`,
    [],
  );

/** Returns the last of the next `count` members by id; null if there are no more. */
export async function endOfChunk(ctx: Context, afterId: string, count: number): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT id FROM (SELECT m.id FROM loyalty.members AS m
                      WHERE ${inScope('m')} AND m.id > $3 ORDER BY m.id LIMIT $4) AS chunk
      ORDER BY id DESC LIMIT 1`,
    [...scopeOf(ctx), afterId, count],
  );
  return row?.id ?? null;
}
