import { audit } from '@loyalty/platform/audit';
import type { Context } from '@loyalty/platform/context';
import { conflict } from '@loyalty/platform/errors';
import { MEMBER_SESSION_SECONDS, type SignedSession, signSession } from '@loyalty/platform/session-token';
import { getMember } from '../members/members.service.ts';

/**
 * Signs a member in for 30 days, in the caller's workspace and mode. Who signed whom in is audited.
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
  const claims = {
    audience: 'member',
    subject: memberId,
    ...ctx.scope,
    version: 1,
    authenticatedAt: ctx.clock.now(),
  } as const;
  await ctx.transaction((tx) =>
    audit(tx, { action: 'startMemberSession', resourceType: 'Member', resourceId: memberId }),
  );
  return signSession(masterKeys, claims, MEMBER_SESSION_SECONDS, ctx.clock);
}
