import { actorId } from '@loyalty/platform/base/caller';
import { addMs, SECOND_MS } from '@loyalty/platform/base/clock';
import { conflict, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { forgetCredentials } from '@loyalty/platform/identity/credentials';
import {
  MEMBER_SESSION_SECONDS,
  type SignedSession,
  signSession,
} from '@loyalty/platform/identity/session-token';
import { getMember } from '../members/members.service.ts';
import {
  endSession,
  endSessionsOf,
  findMemberOfSession,
  insertSession,
  type MemberSession,
  sessionsPage,
} from './member-sessions.store.ts';

export { findMemberOfSession };

/**
 * Signs a member in for 30 days, in the caller's workspace and mode, or until the session is revoked. The
 * sign-in is audited.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED (409) while the member's erasure is pending
 * @remarks Source: v2 REST API, section 5, line 7
 */
export async function startMemberSession(ctx: Context, memberId: string): Promise<SignedSession> {
  const member = await getMember(ctx, memberId);
  if (member.status === 'DEACTIVATION_PENDING') {
    throw conflict(
      'MEMBER_CLOSED',
      "This member's erasure is pending. Cancel it before the member signs in.",
    );
  }
  const { masterKeys } = ctx.services.config;
  const createdAt = ctx.clock.now();
  const id = newId(ctx.clock);
  const claims = {
    audience: 'member',
    subject: memberId,
    ...ctx.scope,
    version: 1,
    authenticatedAt: createdAt,
    sessionId: id,
  } as const;
  await ctx.transaction(async (tx) => {
    const expiresAt = addMs(createdAt, MEMBER_SESSION_SECONDS * SECOND_MS);
    await insertSession(tx, { id, memberId, createdAt, expiresAt });
    await audit(tx, { action: 'startMemberSession', resourceType: 'Member', resourceId: memberId });
  });
  return signSession(masterKeys, claims, MEMBER_SESSION_SECONDS, ctx.clock);
}

/**
 * Returns sessions of a member that have not expired, newest first, including revoked ones.
 *
 * @throws AppError MEMBER_NOT_FOUND (404), VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listMemberSessions(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<MemberSession>> {
  await getMember(ctx, memberId);
  return sessionsPage(ctx, memberId, pageRequest(args));
}

/**
 * Ends a session at once.
 *
 * @throws AppError MEMBER_SESSION_NOT_FOUND (404) for an unknown one and for one that has ended
 */
export const revokeMemberSession = (ctx: Context, id: string): Promise<MemberSession> =>
  endMemberSession(ctx, id, { memberId: null, action: 'revokeMemberSession' });

/**
 * Like `revokeMemberSession`, with another action in the audit.
 *
 * @param options.memberId - ends only a session of this member; null for any member
 */
async function endMemberSession(
  ctx: Context,
  id: string,
  { memberId: owner, action }: { readonly memberId: string | null; readonly action: string },
): Promise<MemberSession> {
  return ctx.transaction(async (tx) => {
    const ended = await endSession(tx, id, owner);
    if (!ended) throw notFound('member session', id);
    const { memberId } = ended;
    const after = { sessionId: id };
    await audit(tx, { action, resourceType: 'Member', resourceId: memberId, after });
    forgetCredentials(tx, `member:${memberId}`);
    return ended;
  });
}

/**
 * Ends every session of a member at once.
 *
 * @returns the number of ended sessions
 * @throws AppError MEMBER_NOT_FOUND (404)
 */
export async function revokeMemberSessions(ctx: Context, memberId: string): Promise<number> {
  await getMember(ctx, memberId);
  return ctx.transaction(async (tx) => {
    const ended = await endSessionsOf(tx, memberId);
    if (ended === 0) return 0;
    const after = { sessions: ended };
    await audit(tx, {
      action: 'revokeMemberSessions',
      resourceType: 'Member',
      resourceId: memberId,
      after,
    });
    forgetCredentials(tx, `member:${memberId}`);
    return ended;
  });
}

/**
 * Returns sessions of the signed-in member that have not expired, newest first, including revoked ones.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export const listMySessions = (ctx: Context, args: PageArgs): Promise<Page<MemberSession>> =>
  listMemberSessions(ctx, memberOf(ctx), args);

/**
 * Ends a session of the signed-in member at once.
 *
 * @throws AppError MEMBER_SESSION_NOT_FOUND (404) for an unknown one, another member's and one that has ended
 */
export const revokeMySession = (ctx: Context, id: string): Promise<MemberSession> =>
  endMemberSession(ctx, id, { memberId: memberOf(ctx), action: 'revokeMySession' });

/**
 * Ends the caller's own session at once.
 *
 * @throws AppError MEMBER_SESSION_NOT_FOUND (404) if it has just ended
 */
export async function signOut(ctx: Context): Promise<true> {
  const { memberSessionId } = ctx.caller;
  if (!memberSessionId) throw notFound('member session', 'of the caller');
  await endMemberSession(ctx, memberSessionId, { memberId: memberOf(ctx), action: 'signOut' });
  return true;
}

const memberOf = ({ caller }: Context): string => actorId(caller)!;
