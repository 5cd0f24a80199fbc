import type { Scope } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';
import type { ManyEntry } from './append-many.store.ts';

const own = inScope('l');
const expired = 'l.remaining > 0 AND l.available_at IS NULL AND l.expires_at <= $3';
const available = 'l.remaining > 0 AND l.available_at <= $3';

/** The kind of due lots: expired, or available. */
export type Due = 'EXPIRED' | 'AVAILABLE';
const conditions: Readonly<Record<Due, string>> = { EXPIRED: expired, AVAILABLE: available };

/** Returns workspaces and modes with due lots. */
export async function scopesDue(ctx: Context, due: Due): Promise<Scope[]> {
  return ctx.sql.query<Scope>(
    `/* every workspace */ SELECT DISTINCT l.workspace_id, l.mode
       FROM loyalty.point_lots AS l
      WHERE ${conditions[due].replaceAll('$3', '$1')} ORDER BY 1, 2`,
    [ctx.clock.now()],
  );
}

/** A due lot. */
export interface DueLot {
  readonly id: string;
  readonly memberId: string;
  readonly at: Date;
}

/**
 * Returns the next due lots, longest due first, of members in one of the statuses. The status is read for
 * each lot instead of joined, so that the cost depends on the number of found lots.
 */
export async function lotsDue(
  ctx: Context,
  due: Due,
  statuses: readonly string[],
  page: { readonly after: DueLot | null; readonly count: number },
): Promise<DueLot[]> {
  const { workspaceId, mode } = ctx.scope;
  const at = due === 'EXPIRED' ? 'l.expires_at' : 'l.available_at';
  return ctx.sql.query<DueLot>(
    `SELECT l.id, l.member_id, ${at} AS at FROM loyalty.point_lots AS l
      WHERE ${own} AND ${conditions[due]}
        AND ($4::timestamptz IS NULL OR (${at}, l.id) > ($4::timestamptz, $5::uuid))
        AND (SELECT m.status FROM loyalty.members AS m
              WHERE ${inScope('m')} AND m.id = l.member_id)
            = ANY($6::loyalty."MemberStatus"[])
      ORDER BY ${at}, l.id LIMIT $7`,
    [
      workspaceId,
      mode,
      ctx.clock.now(),
      page.after?.at ?? null,
      page.after?.id ?? null,
      statuses,
      page.count,
    ],
  );
}

/** Deletes the lots of erased members, without an entry. */
export async function dropLotsOfErased(ctx: Context, memberIds: readonly string[]): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `DELETE FROM loyalty.point_lots AS l
      WHERE ${own} AND l.member_id = ANY($3::uuid[])
        AND (SELECT m.status FROM loyalty.members AS m
              WHERE ${inScope('m')} AND m.id = l.member_id) = 'DELETED'`,
    [workspaceId, mode, memberIds],
  );
}

/** An entry that debited expired points. */
interface Expired {
  readonly transactionId: string;
  readonly memberId: string;
  /** Negative. */
  readonly amount: number;
}

/**
 * Debits the rest of expired lots of locked members: one entry for each. Points that were spent meanwhile are
 * no longer in the lots, so a balance never falls below zero.
 */
export async function expireLots(
  ctx: Context,
  memberIds: readonly string[],
  allowedStatuses: readonly string[],
): Promise<Expired[]> {
  const { workspaceId, mode } = ctx.scope;
  return ctx.sql.query<Expired>(
    `WITH due AS MATERIALIZED (
       SELECT l.member_id, sum(l.remaining)::int AS points,
              ($5::uuid[])[array_position($4::uuid[], l.member_id)] AS entry_id
         FROM loyalty.point_lots AS l
        WHERE ${own} AND l.member_id = ANY($4::uuid[]) AND ${expired}
          AND (SELECT m.status FROM loyalty.members AS m
                WHERE ${inScope('m')} AND m.id = l.member_id)
              = ANY($6::loyalty."MemberStatus"[])
        GROUP BY l.member_id
     ), emptied AS (
       UPDATE loyalty.point_lots AS l SET remaining = 0, expired = l.remaining FROM due
        WHERE ${own} AND l.member_id = ANY($4::uuid[]) AND l.member_id = due.member_id AND ${expired}
     ), after AS (
       UPDATE loyalty.members AS m
          SET points_balance = m.points_balance - due.points, points_sequence = m.points_sequence + 1
         FROM due
        WHERE ${inScope('m')} AND m.id = ANY($4::uuid[])
          AND m.id = due.member_id
       RETURNING due.*, m.points_sequence, m.points_balance
     )
     INSERT INTO loyalty.points_entries AS e
            (id, workspace_id, mode, member_id, sequence, kind, amount, earned, balance_after, description,
             actor, created_at, earned_at)
     SELECT entry_id, $1, $2::platform."Mode", member_id, points_sequence, 'EXPIRY', -points, 0,
            points_balance, 'Points expired', $7, $3::timestamptz, $3::timestamptz
       FROM after
     RETURNING e.id AS transaction_id, e.member_id, e.amount`,
    [
      workspaceId,
      mode,
      ctx.clock.now(),
      memberIds,
      memberIds.map(() => newId(ctx.clock)),
      allowedStatuses,
      ctx.caller.actor,
    ],
  );
}

/** Returns the first available lot of each locked member. */
export async function lotsToRelease(ctx: Context, memberIds: readonly string[]): Promise<ManyEntry[]> {
  const { workspaceId, mode } = ctx.scope;
  return ctx.sql.query<ManyEntry>(
    `SELECT DISTINCT ON (l.member_id) l.id, l.member_id, l.kind, l.remaining AS amount, l.description,
            l.actor, l.source
       FROM loyalty.point_lots AS l
      WHERE ${own} AND ${available} AND l.member_id = ANY($4::uuid[])
      ORDER BY l.member_id, l.id`,
    [workspaceId, mode, ctx.clock.now(), memberIds],
  );
}

/** Marks lots as released; empties lots that never expire, because they are no longer needed. */
export async function markReleased(ctx: Context, ids: readonly string[]): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.point_lots AS l
        SET available_at = NULL, remaining = CASE WHEN l.expires_at IS NULL THEN 0 ELSE l.remaining END
      WHERE ${own} AND l.id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
}
