import { actorId, type Role, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import { conflict, forbidden, invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import type { SignedSession } from '@loyalty/platform/identity/session-token';
import { publish } from '@loyalty/platform/work/events';
import { userCaller } from '../access/callers.service.ts';
import {
  type AccountCredentials,
  findAccount,
  findCredentials,
  findCredentialsByEmail,
  findUser,
  prepareAccount,
} from '../accounts/accounts.service.ts';
import { linkTo, newOneTimeToken } from '../accounts/one-time-token.ts';
import { accountKeys } from '../accounts/platform-workspace.ts';
import { guardAddress } from '../accounts/sign-in-guard.ts';
import { authenticate, openSession } from '../sessions/sessions.service.ts';
import { getWorkspace } from '../workspaces/workspaces.service.ts';
import {
  claimInvitation,
  endInvitation,
  endInvitationsTo,
  findByToken,
  type Invitation,
  insertInvitation,
  invitationsPage,
  setToken,
} from './invitations.store.ts';
import { addMembership, isTeamMember, publishTeam } from './memberships.service.ts';
import { invitationCreated } from './team.events.ts';

export type { Invitation };

const LIFETIME_MS = 7 * DAY_MS;

/**
 * Returns invitations of the workspace, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listInvitations(ctx: Context, args: PageArgs): Promise<Page<Invitation>> {
  return invitationsPage(ctx, pageRequest(args));
}

/**
 * Invites an address for 7 days; revokes earlier invitations to it.
 *
 * @throws AppError VALIDATION_FAILED (400), ROLE_REQUIRED (403) unless an owner invites an owner,
 *   ALREADY_TEAM_MEMBER (409)
 */
export async function inviteUser(
  ctx: Context,
  input: { readonly email: string; readonly role: Role },
): Promise<Invitation> {
  const email = checkEmail('input.email', input.email);
  const { role } = input;
  if (role === 'OWNER' && ctx.caller.role !== 'OWNER') {
    throw forbidden('ROLE_REQUIRED', 'Only an owner invites owners.');
  }
  const account = await findCredentialsByEmail(ctx, email);
  if (account && (await isTeamMember(ctx, account.accountId))) {
    throw conflict('ALREADY_TEAM_MEMBER', 'This address belongs to the team already.');
  }
  const keys = await accountKeys(ctx);
  return ctx.transaction(async (tx) => {
    await endInvitationsTo(tx, keys.indexes(email, EMAIL_INDEX));
    const createdAt = tx.clock.now();
    const invitation = await insertInvitation(tx, {
      id: newId(tx.clock),
      email,
      emailIndex: keys.index(email, EMAIL_INDEX),
      role,
      invitedById: actorId(tx.caller)!,
      createdAt,
      expiresAt: addMs(createdAt, LIFETIME_MS),
    });
    const { id: invitationId } = invitation;
    await publish(tx, invitationCreated, { invitationId });
    await audit(tx, {
      action: 'inviteUser',
      resourceType: 'Invitation',
      resourceId: invitationId,
      after: { role },
    });
    publishTeam(tx);
    return invitation;
  });
}

/**
 * Creates the token, stores its hash and mails the link. After a repeated mail only the latest link works.
 */
export async function sendInvitation(ctx: Context, invitationId: string): Promise<void> {
  const token = newOneTimeToken();
  const invitation = await setToken(ctx, invitationId, tokenHashOf(token));
  if (!invitation) return;
  const workspace = await getWorkspace(ctx);
  const inviter = await findUser(ctx, invitation.invitedById);
  await ctx.services.mailer.send({
    to: invitation.email,
    subject: `Join ${oneLine(workspace.name)}`,
    text: [
      `${oneLine(inviter?.name ?? 'An administrator')} invites you to work in ${oneLine(workspace.name)}.`,
      'Open this link within 7 days:',
      linkTo(ctx.services.config, 'invitation', token),
      'If you do not expect this, do nothing.',
    ].join('\n\n'),
  });
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/**
 * Revokes a pending invitation.
 *
 * @throws AppError INVITATION_NOT_FOUND (404) if it is unknown or not pending
 */
export async function revokeInvitation(ctx: Context, id: string): Promise<Invitation> {
  return ctx.transaction(async (tx) => {
    const ended = await endInvitation(tx, id);
    if (!ended) throw notFound('invitation', id);
    await audit(tx, { action: 'revokeInvitation', resourceType: 'Invitation', resourceId: id });
    publishTeam(tx);
    return ended;
  });
}

interface InvitationPage {
  readonly workspaceName: string;
  readonly hasAccount: boolean;
}

/**
 * Returns the content of the invitation's page; null if the link is unknown, used, revoked or older than 7
 * days.
 */
export async function findInvitationPage(ctx: Context, token: string): Promise<InvitationPage | null> {
  const invitation = await findByToken(ctx, tokenHashOf(token));
  if (!invitation) return null;
  const inviting = ctx.as(systemCaller('invitation', { workspaceId: invitation.workspaceId, mode: 'LIVE' }));
  const [{ name }, account] = await Promise.all([
    getWorkspace(inviting),
    findCredentialsByEmail(ctx, invitation.email),
  ]);
  return { workspaceName: oneLine(name), hasAccount: account !== null };
}

interface Acceptance {
  readonly token: string;
  readonly name?: string | null | undefined;
  readonly password?: string | null | undefined;
}

/**
 * Joins the workspace of an invitation and signs in there. The link proves that the address is the caller's,
 * but an existing account still needs its password or its own session.
 *
 * @throws AppError TOKEN_INVALID (400) if it is unknown, used, revoked or older than 7 days;
 *   VALIDATION_FAILED, PASSWORD_WEAK (400); CREDENTIAL_INVALID (401); INVITATION_OF_ANOTHER (403);
 *   RATE_LIMITED (429)
 */
export async function acceptInvitation(ctx: Context, input: Acceptance): Promise<SignedSession> {
  const refused = invalid(
    'input.token',
    'was used, revoked or is older than 7 days: ask to be invited again',
    'TOKEN_INVALID',
  );
  await guardAddress(ctx, 'invitation');
  const tokenHash = tokenHashOf(input.token);
  const invitation = await findByToken(ctx, tokenHash);
  if (!invitation) throw refused;
  const person = await personOf(ctx, invitation, input);
  const { id, workspaceId, role } = invitation;
  return ctx.transaction(async (tx) => {
    const joining = tx.as(userCaller(person.credentials.accountId, workspaceId, role));
    if (!(await claimInvitation(joining, id, tokenHash))) throw refused;
    await person.insert?.(joining);
    await addMembership(joining, person.credentials.accountId, role);
    await audit(joining, { action: 'acceptInvitation', resourceType: 'Invitation', resourceId: id });
    publishTeam(joining);
    return openSession(joining, person.credentials, workspaceId);
  });
}

interface Person {
  readonly credentials: AccountCredentials;
  /** Creates the account if there is none yet. */
  readonly insert?: (tx: Context) => Promise<void>;
}

/** Returns the person who accepts: the signed-in user, the account of the address, or a new one. */
async function personOf(ctx: Context, { email }: Invitation, input: Acceptance): Promise<Person> {
  if (ctx.caller.kind === 'USER') return { credentials: await signedIn(ctx, email) };
  if (!input.password) throw invalid('input.password', 'is needed unless you are signed in');
  if (await findCredentialsByEmail(ctx, email)) {
    return { credentials: await authenticate(ctx, email, input.password) };
  }
  const { details, insert } = await prepareAccount(ctx, {
    email,
    password: input.password,
    name: input.name ?? '',
  });
  return { credentials: { accountId: details.id, passwordHash: '', tokenVersion: 1 }, insert };
}

async function signedIn(ctx: Context, email: string): Promise<AccountCredentials> {
  const id = actorId(ctx.caller)!;
  const [account, credentials] = await Promise.all([findAccount(ctx, id), findCredentials(ctx, id)]);
  if (account?.email === email && credentials) return credentials;
  throw forbidden(
    'INVITATION_OF_ANOTHER',
    'The invitation is for another address. Sign out, or sign in with that address.',
  );
}
