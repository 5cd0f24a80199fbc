import { actorId } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { notFound } from '@loyalty/platform/errors';
import type { Page, PageArgs } from '@loyalty/platform/loading/pages';
import { endMemberSession, listMemberSessions } from './member-sessions.service.ts';
import type { MemberSession } from './member-sessions.store.ts';

/**
 * Sessions of the signed-in member that have not expired, newest first, with revoked ones.
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
 * Ends the session with which it is called, at once.
 *
 * @throws AppError MEMBER_SESSION_NOT_FOUND (404) when it has just ended
 */
export async function signOut(ctx: Context): Promise<true> {
  const { memberSessionId } = ctx.caller;
  if (!memberSessionId) throw notFound('member session', 'of the caller');
  await endMemberSession(ctx, memberSessionId, { memberId: memberOf(ctx), action: 'signOut' });
  return true;
}

const memberOf = ({ caller }: Context): string => actorId(caller)!;
