import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { TransactionSql } from '@loyalty/prisma/client';
import { binaryRows } from '@loyalty/prisma/copy/binary-rows';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { plainArray, textArray } from './array-literals.ts';
import { FINGERPRINT_BYTES as BYTES, type FactKind, type KnownOrder } from './fact.ts';

/** A fact's id to claim. `order` holds the data that order lines need; it is null for all other kinds. */
export interface FactClaim {
  readonly externalId: string;
  /** Hexadecimal. */
  readonly fingerprint: string;
  readonly memberId: string;
  readonly order: { readonly id: string; readonly occurredAt: Date; readonly currency: string } | null;
}

/**
 * Claims ids that are new. The ids are distinct and sorted, so that two callers cannot deadlock. A caller
 * waits for another one that is claiming the same id.
 *
 * @returns ids that were claimed before; null if all of them are new
 */
export async function claimFacts(
  tx: Context,
  kind: FactKind,
  claims: readonly FactClaim[],
): Promise<ReadonlySet<string> | null> {
  if (claims.length >= COPIED_FROM && (await copyClaims(tx, kind, claims))) return null;
  return insertClaims(tx, kind, claims);
}

/** From this number of ids on, COPY in a savepoint is faster than INSERT. */
const COPIED_FROM = 1_000;

/**
 * Claims all ids by COPY, in half the time of INSERT. Returns false and claims none if one was claimed
 * before.
 */
async function copyClaims(tx: Context, kind: FactKind, claims: readonly FactClaim[]): Promise<boolean> {
  const { workspaceId, mode } = tx.scope;
  const rows = binaryRows(9, claims, (cells, { externalId, fingerprint, memberId, order }) => {
    cells.uuid(workspaceId);
    cells.text(mode);
    cells.text(kind);
    cells.text(externalId);
    cells.bytes(fingerprint);
    cells.uuid(memberId);
    cells.uuid(order?.id ?? null);
    cells.timestamp(order?.occurredAt ?? null);
    cells.text(order?.currency ?? null);
  });
  await tx.sql.query('SAVEPOINT claims');
  try {
    await (tx.sql as TransactionSql).copyIn(
      `COPY model.fact_ids (workspace_id, mode, kind, external_id, fingerprint, member_id, order_id,
                            occurred_at, currency) FROM STDIN (FORMAT binary)`,
      rows,
    );
  } catch (error) {
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    await tx.sql.query('ROLLBACK TO SAVEPOINT claims');
    return false;
  }
  await tx.sql.query('RELEASE SAVEPOINT claims');
  return true;
}

async function insertClaims(
  tx: Context,
  kind: FactKind,
  claims: readonly FactClaim[],
): Promise<ReadonlySet<string> | null> {
  const { workspaceId, mode } = tx.scope;
  const orders = claims.flatMap(({ order }) => order ?? []);
  const [row] = await tx.sql.query<{ claimed: string[] | null }>(
    `WITH claimed AS (
       INSERT INTO model.fact_ids
         (workspace_id, mode, kind, external_id, fingerprint, member_id, order_id, occurred_at, currency)
       SELECT $1, $2::platform."Mode", $3::model."FactKind", f.external_id,
              substring($4::bytea FROM ((f.place - 1) * ${BYTES} + 1)::int FOR ${BYTES}),
              f.member_id, f.order_id, f.occurred_at, f.currency
         FROM unnest($5::text[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::text[])
              WITH ORDINALITY AS f(external_id, member_id, order_id, occurred_at, currency, place)
       ON CONFLICT (workspace_id, mode, kind, external_id) DO NOTHING
       RETURNING external_id
     )
     SELECT CASE WHEN count(*) < $10::int THEN coalesce(array_agg(external_id), '{}') END AS claimed
       FROM claimed`,
    [
      workspaceId,
      mode,
      kind,
      Buffer.from(claims.map(({ fingerprint }) => fingerprint).join(''), 'hex'),
      textArray(claims.map(({ externalId }) => externalId)),
      plainArray(claims.map(({ memberId }) => memberId)),
      // Arrays that are shorter than the longest are filled up with NULL.
      plainArray(orders.map(({ id }) => id)),
      plainArray(orders.map(({ occurredAt }) => occurredAt.toISOString())),
      plainArray(orders.map(({ currency }) => currency)),
      claims.length,
    ],
  );
  if (!row?.claimed) return null;
  const claimed = new Set(row.claimed);
  return new Set(claims.map(({ externalId }) => externalId).filter((id) => !claimed.has(id)));
}

/** Returns the fingerprints (hexadecimal) of known facts by their ids. */
export async function knownFingerprints(
  ctx: Context,
  kind: FactKind,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // One index lookup for each id: a plan that the planner makes while the table is small would scan the whole
  // table once it is large.
  const rows = await ctx.sql.query<{ id: string; fingerprint: string }>(
    `SELECT w.id, encode(f.fingerprint, 'hex') AS fingerprint
       FROM unnest($4::text[]) AS w(id)
      CROSS JOIN LATERAL (
              SELECT k.fingerprint FROM model.fact_ids AS k
               WHERE ${inScope('k')} AND k.kind = $3::model."FactKind"
                 AND k.external_id = w.id OFFSET 0) AS f`,
    [...scopeOf(ctx), kind, textArray(externalIds)],
  );
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
}

export async function ordersByExternalId(
  ctx: Context,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, KnownOrder>> {
  const rows = await ctx.sql.query<KnownOrder & { id: string }>(
    `SELECT w.id, f.*
       FROM unnest($3::text[]) AS w(id)
      CROSS JOIN LATERAL (
              SELECT k.order_id, k.member_id, k.occurred_at, k.currency
                FROM model.fact_ids AS k
               WHERE ${inScope('k')} AND k.kind = 'ORDERS'
                 AND k.external_id = w.id OFFSET 0) AS f`,
    [...scopeOf(ctx), textArray(externalIds)],
  );
  return new Map(rows.map(({ id, ...order }) => [id, order]));
}

export async function countByKind(ctx: Context): Promise<{ kind: FactKind; total: number }[]> {
  return ctx.sql.query(
    `SELECT kind, count(*)::int AS total FROM model.fact_ids
      WHERE ${inScope()} GROUP BY kind`,
    scopeOf(ctx),
  );
}
