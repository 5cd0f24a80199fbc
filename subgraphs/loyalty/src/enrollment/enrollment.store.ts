import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';
import type { ConsentPurpose } from '../consents/consents.events.ts';
import type { MemberStatus } from '../members/members.service.ts';

export interface Enrollment {
  readonly id: string;
  readonly formId: string;
  readonly memberId: string;
  readonly consents: readonly ConsentPurpose[];
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
}

const scoped = inScope('e');

export async function insertEnrollment(
  ctx: Context,
  enrollment: Omit<Enrollment, 'createdAt' | 'confirmedAt'>,
): Promise<void> {
  const { id, formId, memberId, consents } = enrollment;
  await ctx.sql.query(
    `INSERT INTO loyalty.enrollments (workspace_id, mode, id, form_id, member_id, consents, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6::text[], $7)`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, formId, memberId, consents, ctx.clock.now()],
  );
}

/** Returns the unconfirmed enrollment of a member with this address. */
export async function findUnconfirmedByEmail(
  ctx: Context,
  emailIndexes: readonly string[],
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT e.id FROM loyalty.members AS m
       JOIN loyalty.enrollments AS e
         ON e.workspace_id = m.workspace_id AND e.mode = m.mode AND e.member_id = m.id
      WHERE ${scoped} AND ${inScope('m')}
        AND m.email_index = ANY($3::text[]) AND m.status = 'PENDING' AND e.confirmed_at IS NULL`,
    [ctx.scope.workspaceId, ctx.scope.mode, emailIndexes],
  );
  return row?.id ?? null;
}

/** Returns the member of an unconfirmed enrollment. */
export async function findUnconfirmed(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ memberId: string }>(
    `SELECT e.member_id FROM loyalty.enrollments AS e
      WHERE ${scoped} AND e.id = $3 AND e.confirmed_at IS NULL`,
    [ctx.scope.workspaceId, ctx.scope.mode, id],
  );
  return row?.memberId ?? null;
}

export async function keepToken(ctx: Context, id: string, tokenHash: string, expiresAt: Date): Promise<void> {
  await ctx.sql.query(
    `UPDATE loyalty.enrollments AS e SET token_hash = $4, expires_at = $5
      WHERE ${scoped} AND e.id = $3 AND e.confirmed_at IS NULL`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, tokenHash, expiresAt],
  );
}

/** An enrollment that was just confirmed, with its member's status. */
interface Confirmed extends Scope {
  readonly id: string;
  readonly memberId: string;
  readonly consents: readonly ConsentPurpose[];
  readonly status: MemberStatus;
}

/**
 * Confirms the enrollment of a live member: others get no links. Only the first of several calls gets a
 * result.
 */
export async function useToken(
  ctx: Context,
  workspaceId: string,
  tokenHash: string,
): Promise<Confirmed | null> {
  const [row] = await ctx.sql.query<Confirmed>(
    `UPDATE loyalty.enrollments AS e SET confirmed_at = $3
       FROM loyalty.members AS m
      WHERE e.workspace_id = $1 AND e.mode = 'LIVE' AND e.token_hash = $2
        AND e.confirmed_at IS NULL AND e.expires_at > $3
        AND m.workspace_id = e.workspace_id AND m.mode = e.mode AND m.id = e.member_id
        AND m.status NOT IN ('DEACTIVATION_PENDING', 'DELETED')
     RETURNING e.workspace_id, e.mode, e.id, e.member_id, e.consents, m.status`,
    [workspaceId, tokenHash, ctx.clock.now()],
  );
  return row ?? null;
}

export const enrollmentByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<Enrollment>(
    `SELECT e.id, e.form_id, e.member_id, e.consents, e.created_at, e.confirmed_at
       FROM loyalty.enrollments AS e WHERE ${scoped} AND e.member_id = ANY($3::uuid[])`,
    [ctx.scope.workspaceId, ctx.scope.mode, memberIds],
  );
  return new Map(rows.map((row) => [row.memberId, row]));
});
