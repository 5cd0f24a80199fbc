import { actorId, type Role } from '@loyalty/platform/base/caller';
import { conflict, forbidden, notFound } from '@loyalty/platform/base/errors';
import { mapIterator } from '@loyalty/platform/base/iterators';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { revokeKeysOf } from '../access/api-keys.service.ts';
import { findUser } from '../accounts/accounts.service.ts';
import { questions } from '../peers.ts';
import {
  getWorkspace,
  lockWorkspace,
  type Workspace,
  workspaceById,
} from '../workspaces/workspaces.service.ts';
import {
  changeRole,
  deleteMembership,
  findTeamMember,
  insertMembership,
  membershipsByAccount,
  ownerIds,
  type TeamMember,
  teamMemberById,
  teamPage,
} from './memberships.store.ts';

export type { TeamMember };

/** A workspace of a person, with the person's role there. */
export interface MembershipOfUser {
  readonly workspace: Workspace;
  readonly role: Role;
  readonly joinedAt: Date;
}

/**
 * Adds the account to the caller's workspace; returns false if it is there already, without a change of its
 * role.
 *
 * The calling function must check the permission.
 */
export async function addMembership(tx: Context, accountId: string, role: Role): Promise<boolean> {
  const isNew = await insertMembership(tx, accountId, role);
  if (isNew) {
    await audit(tx, {
      action: 'addTeamMember',
      resourceType: 'TeamMember',
      resourceId: accountId,
      after: { role },
    });
    forgetCredentials(tx, `user:${accountId}`);
  }
  return isNew;
}

/** Returns the workspaces of a person: all of them for the person, for other callers only the shared one. */
export async function listMembershipsOf(
  ctx: Context,
  accountId: string,
  isOwn: boolean,
): Promise<MembershipOfUser[]> {
  const all = (await ctx.load(membershipsByAccount, accountId)) ?? [];
  const seen = all.filter(({ workspaceId }) => isOwn || workspaceId === ctx.scope.workspaceId);
  return Promise.all(
    seen.map(async ({ workspaceId, role, joinedAt }) => {
      const workspace = (await ctx.load(workspaceById, workspaceId))!;
      return { workspace, role, joinedAt };
    }),
  );
}

/** Live channel: the team or its invitations changed. */
const teamChannel = (workspaceId: string): string => `team:${workspaceId}`;

/** Publishes a change to watchers of the team, after the commit. */
export function publishTeam(tx: Context): void {
  const { workspaceId } = tx.scope;
  tx.afterCommit(() => tx.services.live.publish(teamChannel(workspaceId), workspaceId));
}

/**
 * Yields the time of each change of the team and its invitations, and one after an interruption, as a change
 * may have been missed.
 */
export function watchTeam(ctx: Context): AsyncIterableIterator<Date> {
  const { workspaceId } = ctx.scope;
  const changes = liveIterator(ctx.services.live, teamChannel(workspaceId), {
    signal: ctx.request.signal,
    missed: async () => [workspaceId],
    isResumed: ctx.request.missedMs > 0,
  });
  return mapIterator(changes, { map: async () => ctx.clock.now() });
}

/** Whether the account belongs to the caller's workspace. */
export const isTeamMember = async (ctx: Context, accountId: string): Promise<boolean> =>
  (await ctx.load(teamMemberById, accountId)) !== null;

/**
 * Returns the people of the workspace, newest accounts first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listTeam(ctx: Context, args: PageArgs): Promise<Page<TeamMember>> {
  return teamPage(ctx, pageRequest(args));
}

/**
 * Changes the role of a person in the team. Has no effect if the person already has this role.
 *
 * @throws AppError TEAM_MEMBER_NOT_FOUND (404), ROLE_REQUIRED (403) unless an owner decides about owners,
 *   LAST_OWNER (409)
 */
export async function setTeamRole(ctx: Context, userId: string, role: Role): Promise<TeamMember> {
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await getTeamMember(tx, userId);
    if (before.role === role) return before;
    if (before.role === 'OWNER' || role === 'OWNER') requireOwner(tx);
    const after = await changeRole(tx, userId, role);
    if (!after) throw lastOwner();
    const change = { before: { role: before.role }, after: { role } };
    await audit(tx, { action: 'setTeamRole', resourceType: 'TeamMember', resourceId: userId, ...change });
    dropCredentials(tx, userId);
    return after;
  });
}

/**
 * Removes a person from the team. Their sessions in this workspace end. Keys that the person, or a key of
 * theirs, created lose the scopes that only an admin can grant. Integrations may depend on the other scopes,
 * so the keys are revoked only on request.
 *
 * @param revokeKeys - revokes these keys, too
 * @returns the id of the account, which is not deleted
 * @throws AppError TEAM_MEMBER_NOT_FOUND (404), ROLE_REQUIRED (403), LAST_OWNER (409)
 */
export async function removeTeamMember(ctx: Context, userId: string, revokeKeys = false): Promise<string> {
  const isSelf = actorId(ctx.caller) === userId;
  if (ctx.caller.role === 'MEMBER') {
    if (!isSelf) throw forbidden('ROLE_REQUIRED', 'Only owners and admins remove others from the team.');
    if (revokeKeys) throw forbidden('ROLE_REQUIRED', 'Only owners and admins revoke keys.');
  }
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await getTeamMember(tx, userId);
    if (before.role === 'OWNER') requireOwner(tx);
    if (!(await deleteMembership(tx, userId))) throw lastOwner();
    if (revokeKeys) await revokeKeysOf(tx, userId);
    const change = { before: { role: before.role } };
    await audit(tx, {
      action: 'removeTeamMember',
      resourceType: 'TeamMember',
      resourceId: userId,
      ...change,
    });
    dropCredentials(tx, userId);
    return userId;
  });
}

/**
 * Drops the cached credentials of the person, and of keys that depend on the person's role; notifies watchers
 * of the team.
 */
function dropCredentials(tx: Context, userId: string): void {
  forgetCredentials(tx, `user:${userId}`, `workspace:${tx.scope.workspaceId}`);
  publishTeam(tx);
}

async function getTeamMember(ctx: Context, userId: string): Promise<TeamMember> {
  const found = await findTeamMember(ctx, userId);
  if (!found) throw notFound('team member', userId);
  return found;
}

function requireOwner(ctx: Context): void {
  if (ctx.caller.role !== 'OWNER') throw forbidden('ROLE_REQUIRED', 'Only an owner decides about owners.');
}

const lastOwner = () =>
  conflict('LAST_OWNER', 'A workspace keeps at least one owner. Make somebody else an owner first.');

/**
 * Mails the workspace's owners that a webhook endpoint was disabled, with the reason and instructions; sends
 * nothing if it was deleted or set to active meanwhile.
 *
 * @param reason - a sentence
 */
export async function sendEndpointDisabled(ctx: Context, endpointId: string, reason: string): Promise<void> {
  const of = { id: endpointId };
  const { webhookEndpoint: endpoint } = await ctx.services.peers.ask(
    ctx,
    'engagement',
    questions.WebhookEndpoint,
    of,
  );
  if (endpoint?.status !== 'DISABLED') return;
  const workspace = await getWorkspace(ctx);
  const name = workspace.name.replaceAll(/\s+/g, ' ');
  const { host } = new URL(endpoint.url);
  const sandbox = ctx.scope.mode === 'TEST' ? ' It is an endpoint of test mode.' : '';
  const text = [
    `No events of ${name} are delivered to ${host} any more.${sandbox}`,
    `The reason: ${reason}`,
    `Repair the receiver, then set the status of the endpoint to active: the page of webhooks, or` +
      ` PATCH /api/v2/webhooks/${endpointId} with {"status": "active"}.`,
    'Events of the meantime are not delivered later. What failed before can be replayed from the log.',
  ].join('\n\n');
  for (const id of await ownerIds(ctx)) {
    const to = (await findUser(ctx, id))?.email;
    if (to) await ctx.services.mailer.send({ to, subject: `Webhook to ${host} is disabled`, text });
  }
}
