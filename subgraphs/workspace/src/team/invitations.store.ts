import type { Role } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';

/** A decrypted invitation. */
export interface Invitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedById: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

type InvitationRow = Omit<Invitation, 'email'> & { emailSealed: Buffer };

const columns = `id, workspace_id, email_sealed, role, invited_by_id, created_at, expires_at, accepted_at,
  revoked_at`;

const pending = 'accepted_at IS NULL AND revoked_at IS NULL';
const isPending = { acceptedAt: null, revokedAt: null };

const SEAL = 'invitation.email';

async function open(ctx: Context, rows: readonly InvitationRow[]): Promise<Invitation[]> {
  const [first] = rows;
  if (!first) return [];
  const keys = await ctx.services.keyring.of(first.workspaceId);
  return rows.map(({ emailSealed, ...row }) => ({ ...row, email: keys.open(emailSealed, SEAL) }));
}

export async function invitationsPage(ctx: Context, request: PageRequest): Promise<Page<Invitation>> {
  const { workspaceId } = ctx.scope;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<InvitationRow>(
    `SELECT ${columns} FROM workspace.invitations
      WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id ${beyond} $2)
      ORDER BY id ${order} LIMIT $3 OFFSET $4`,
    [workspaceId, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, await open(ctx, rows), async () => {
    const sql = 'SELECT count(*)::int AS total FROM workspace.invitations WHERE workspace_id = $1';
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [workspaceId]);
    return counted?.total ?? 0;
  });
}

interface NewInvitation extends Omit<Invitation, 'workspaceId' | 'acceptedAt' | 'revokedAt'> {
  /** Index with the accounts' key, so that an invitation finds its account. */
  readonly emailIndex: string;
}

/** Placeholder until the message is sent: no token has this text as its hash. */
const noToken = (id: string): string => `none:${id}`;

export async function insertInvitation(ctx: Context, invitation: NewInvitation): Promise<Invitation> {
  const { workspaceId } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const { id, email, emailIndex, role, invitedById, createdAt, expiresAt } = invitation;
  const row = { id, role, invitedById, createdAt, expiresAt };
  const hidden = { emailIndex, emailSealed: new Uint8Array(keys.seal(email, SEAL)), tokenHash: noToken(id) };
  await ctx.prisma.invitation.createMany({ data: [{ ...row, ...hidden }] });
  return { ...row, workspaceId, email, acceptedAt: null, revokedAt: null };
}

/** Revokes earlier invitations to the address. */
export async function endInvitationsTo(ctx: Context, emailIndexes: readonly string[]): Promise<void> {
  await ctx.prisma.invitation.updateMany({
    where: { emailIndex: { in: [...emailIndexes] }, ...isPending },
    data: { revokedAt: ctx.clock.now() },
  });
}

/** Returns null if it is unknown or no longer pending. */
export async function endInvitation(ctx: Context, id: string): Promise<Invitation | null> {
  const rows = await ctx.sql.query<InvitationRow>(
    `UPDATE workspace.invitations SET revoked_at = $3 WHERE workspace_id = $1 AND id = $2 AND ${pending}
     RETURNING ${columns}`,
    [ctx.scope.workspaceId, id, ctx.clock.now()],
  );
  return (await open(ctx, rows))[0] ?? null;
}

/**
 * Sets the token of a pending invitation before it is mailed; returns null if the invitation is no longer
 * pending.
 */
export async function setToken(ctx: Context, id: string, tokenHash: string): Promise<Invitation | null> {
  const rows = await ctx.sql.query<InvitationRow>(
    `UPDATE workspace.invitations SET token_hash = $3
      WHERE workspace_id = $1 AND id = $2 AND ${pending} AND expires_at > $4 RETURNING ${columns}`,
    [ctx.scope.workspaceId, id, tokenHash, ctx.clock.now()],
  );
  return (await open(ctx, rows))[0] ?? null;
}

/** Not bound to a workspace: a caller with the token may not belong to one yet. */
export async function findByToken(ctx: Context, tokenHash: string): Promise<Invitation | null> {
  const rows = await ctx.sql.query<InvitationRow>(
    `SELECT ${columns} FROM workspace.invitations WHERE token_hash = $1 AND ${pending} AND expires_at > $2`,
    [tokenHash, ctx.clock.now()],
  );
  return (await open(ctx, rows))[0] ?? null;
}

/** Returns true for one caller only. */
export async function claimInvitation(ctx: Context, id: string, tokenHash: string): Promise<boolean> {
  const now = ctx.clock.now();
  const claimed = await ctx.prisma.invitation.updateMany({
    where: { id, tokenHash, ...isPending, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  return claimed.count > 0;
}
