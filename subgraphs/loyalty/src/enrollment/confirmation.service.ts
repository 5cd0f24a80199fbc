import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { invalid } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import { publish } from '@loyalty/platform/work/events';
import { setMemberConsent } from '../consents/consents.service.ts';
import { confirmationPage } from '../enrollment-forms/enrollment-forms.service.ts';
import { setMemberStatus } from '../member-status/member-status.service.ts';
import { findMember } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { workspaceName } from '../workspace.service.ts';
import { repeatedToken, workspaceOf } from './confirmation-token.ts';
import { enrollmentConfirmed } from './enrollment.events.ts';
import { findUnconfirmed, keepToken, useToken } from './enrollment.store.ts';
import { guardConfirmation } from './enrollment-guard.ts';

const LINK_LIFETIME_MS = 7 * DAY_MS;

/**
 * Stores the hash of the enrollment's token and mails the link. Every mail has the same link: anybody may
 * request another mail, which must not invalidate the link that the person already has. Members of test mode
 * are never contacted.
 *
 * @throws MailError
 */
export async function sendEnrollmentLink(ctx: Context, enrollmentId: string): Promise<void> {
  if (ctx.scope.mode === 'TEST') return;
  const memberId = await findUnconfirmed(ctx, enrollmentId);
  const member = memberId && (await findMember(ctx, memberId));
  const to = member && member.status === 'PENDING' ? await openPersonal(ctx, member, 'email') : null;
  if (!to) return;
  const workspace = await workspaceName(ctx);
  const { workspaceId } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const token = repeatedToken(workspaceId, keys.index(enrollmentId, 'enrollment-link'));
  await keepToken(ctx, enrollmentId, tokenHashOf(token), addMs(ctx.clock.now(), LINK_LIFETIME_MS));
  await ctx.services.mailer.send({
    to,
    subject: `Confirm that you join ${workspace}`,
    text: [
      `Somebody, probably you, joined ${workspace} with this address.`,
      'Open this link within 7 days to confirm it:',
      confirmationPage(ctx.services.config, token),
      'If it was not you, do nothing.',
    ].join('\n\n'),
  });
}

/**
 * Confirms the address of a person who joined by a form; a pending member becomes active. The token works
 * once.
 *
 * @throws AppError TOKEN_INVALID (400) if it is unknown, used or older than 7 days, RATE_LIMITED (429)
 * @remarks Source: requirements L-MEM-10, L-MEM-22
 */
export async function confirmEnrollment(ctx: Context, token: string): Promise<true> {
  await guardConfirmation(ctx);
  return ctx.transaction(async (tx) => {
    const workspaceId = workspaceOf(token);
    const used = workspaceId && (await useToken(tx, workspaceId, tokenHashOf(token)));
    if (!used) throw invalid('token', 'was used or is older than 7 days: join again', 'TOKEN_INVALID');
    const { id: enrollmentId, memberId, consents, status } = used;
    const inside = tx.as(systemCaller('enrollment', used));
    if (status === 'PENDING') await setMemberStatus(inside, memberId, 'ACTIVE');
    for (const purpose of consents)
      await setMemberConsent(inside, memberId, { purpose, granted: true, source: 'enrollment' });
    await publish(inside, enrollmentConfirmed, { memberId, enrollmentId });
    return true as const;
  });
}
