import type { Role } from '@loyalty/platform/base/caller';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { columns } from '@loyalty/prisma/columns';

/** A person of the caller's workspace. */
export interface TeamMember {
  /** The account's id. */
  readonly id: string;
  readonly role: Role;
  readonly joinedAt: Date;
}

/** A workspace of a person. */
interface Membership {
  readonly workspaceId: string;
  readonly role: Role;
  readonly joinedAt: Date;
}

const COLUMNS = `account_id AS id, role, created_at AS joined_at`;
const select = columns('accountId', 'role', 'createdAt');

const memberOf = (row: { accountId: string; role: Role; createdAt: Date }): TeamMember => ({
  id: row.accountId,
  role: row.role,
  joinedAt: row.createdAt,
});

/** Loads every workspace of an account, the first joined first. */
export const membershipsByAccount: Loader<string, Membership[]> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<Membership & { accountId: string }>(
    `SELECT account_id, workspace_id, role, created_at AS joined_at
       FROM workspace.memberships WHERE account_id = ANY($1::uuid[]) ORDER BY created_at, workspace_id`,
    [ids],
  );
  return Map.groupBy(rows, ({ accountId }) => accountId);
});

export const teamMemberById: Loader<string, TeamMember> = loader(async (ctx, ids) => {
  const rows = await ctx.prisma.membership.findMany({ where: { accountId: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.accountId, memberOf(row)]));
});

export async function findTeamMember(ctx: Context, accountId: string): Promise<TeamMember | null> {
  const row = await ctx.prisma.membership.findFirst({ where: { accountId }, select });
  return row && memberOf(row);
}

/** Returns the accounts of the workspace's owners. */
export async function ownerIds(ctx: Context): Promise<string[]> {
  const rows = await ctx.prisma.membership.findMany({
    where: { role: 'OWNER' },
    select: columns('accountId'),
    orderBy: { accountId: 'asc' },
  });
  return rows.map(({ accountId }) => accountId);
}

export async function teamPage(ctx: Context, request: PageRequest): Promise<Page<TeamMember>> {
  const { workspaceId } = ctx.scope;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<TeamMember>(
    `SELECT ${COLUMNS} FROM workspace.memberships
      WHERE workspace_id = $1 AND ($2::uuid IS NULL OR account_id ${beyond} $2)
      ORDER BY account_id ${order} LIMIT $3 OFFSET $4`,
    [workspaceId, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = 'SELECT count(*)::int AS total FROM workspace.memberships WHERE workspace_id = $1';
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [workspaceId]);
    return counted?.total ?? 0;
  });
}

/** Returns false if the account belongs to the workspace already. */
export async function insertMembership(ctx: Context, accountId: string, role: Role): Promise<boolean> {
  const inserted = await ctx.prisma.membership.createMany({
    data: [{ accountId, role, createdAt: ctx.clock.now() }],
    skipDuplicates: true,
  });
  return inserted.count > 0;
}

/**
 * Condition that another owner remains. Changes of the team lock the workspace's row, so that it stays true
 * until the transaction ends.
 */
const anotherOwner = `(role <> 'OWNER' OR EXISTS (SELECT 1 FROM workspace.memberships o
  WHERE o.workspace_id = $1 AND o.account_id <> $2 AND o.role = 'OWNER'))`;

/** Returns null if the workspace would have no owner any more. */
export async function changeRole(ctx: Context, accountId: string, role: Role): Promise<TeamMember | null> {
  const [row] = await ctx.sql.query<TeamMember>(
    `UPDATE workspace.memberships SET role = $3::workspace."Role"
      WHERE workspace_id = $1 AND account_id = $2 AND ($3 = 'OWNER' OR ${anotherOwner}) RETURNING ${COLUMNS}`,
    [ctx.scope.workspaceId, accountId, role],
  );
  return row ?? null;
}

/** Returns false if the workspace would have no owner any more. */
export async function deleteMembership(ctx: Context, accountId: string): Promise<boolean> {
  const deleted = await ctx.sql.query(
    `DELETE FROM workspace.memberships WHERE workspace_id = $1 AND account_id = $2 AND ${anotherOwner}
     RETURNING account_id`,
    [ctx.scope.workspaceId, accountId],
  );
  return deleted.length > 0;
}
