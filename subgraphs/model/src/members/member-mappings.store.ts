import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

/** A member by the id that the workspace's own systems have for it. */
export interface MemberMapping {
  readonly externalId: string;
  readonly memberId: string;
}

export interface KnownMapping extends MemberMapping {
  /** SHA-256 of the imported data, cut to 16 bytes. */
  readonly fingerprint: Buffer;
}

interface NewMapping extends MemberMapping {
  readonly id: string;
  readonly fingerprint: Buffer;
}

/** A join, because a comparison with each name of a long list is slow when the planner has no statistics. */
export const mappingsByExternalId = (ctx: Context, externalIds: readonly string[]): Promise<KnownMapping[]> =>
  ctx.sql.query<KnownMapping>(
    `SELECT m.external_id, m.member_id, m.fingerprint
       FROM unnest($3::text[]) AS w(name)
       JOIN model.member_mappings AS m
         ON ${inScope('m')} AND m.external_id = w.name`,
    [...scopeOf(ctx), externalIds],
  );

export const latestMappings = (ctx: Context, count: number): Promise<MemberMapping[]> =>
  ctx.sql.query<MemberMapping>(
    `SELECT external_id, member_id FROM model.member_mappings
      WHERE ${inScope()} ORDER BY id DESC LIMIT $3`,
    [...scopeOf(ctx), count],
  );

export async function mappingCount(ctx: Context): Promise<number> {
  const [counted] = await ctx.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM model.member_mappings
      WHERE ${inScope()}`,
    scopeOf(ctx),
  );
  return counted?.count ?? 0;
}

/** Inserts mappings and returns the external ids that are new; waits for other writers of the same ids. */
export async function insertMappings(
  tx: Context,
  mappings: readonly NewMapping[],
): Promise<ReadonlySet<string>> {
  if (mappings.length === 0) return new Set();
  const rows = await tx.sql.query<{ externalId: string }>(
    `INSERT INTO model.member_mappings
       (workspace_id, mode, created_at, id, external_id, member_id, fingerprint)
     SELECT $1, $2::platform."Mode", $3, e.* FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::bytea[]) AS e
     ON CONFLICT DO NOTHING
     RETURNING external_id`,
    [...scopeOf(tx), tx.clock.now(), ...arraysOf(mappings, 'id', 'externalId', 'memberId', 'fingerprint')],
  );
  return new Set(rows.map(({ externalId }) => externalId));
}
