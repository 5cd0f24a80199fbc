import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import { newToken } from '../enrollment/confirmation-token.ts';
import { signInPage } from '../enrollment-forms/enrollment-forms.service.ts';
import { findMember } from '../members/members.service.ts';
import { openPersonal } from '../members/personal-fields.ts';
import { workspaceName } from '../workspace.service.ts';
import { findWaiting, keepCode } from './sign-in.store.ts';
import { CODE_INDEX, codeOf, newCode } from './sign-in-code.ts';

/**
 * Creates code and link of a sign-in, stores their hashes and mails them; those of an earlier mail stop
 * working. Nothing is mailed if no member has the address, and in test mode.
 *
 * @param hasCode - false: the mail has only the link
 * @throws MailError
 */
export async function mailSignInCode(ctx: Context, id: string, hasCode: boolean): Promise<void> {
  if (ctx.scope.mode === 'TEST') return;
  const memberId = await findWaiting(ctx, id);
  const member = memberId && (await findMember(ctx, memberId));
  const to = member ? await openPersonal(ctx, member, 'email') : null;
  if (!to) return;
  const { workspaceId } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const [code, token] = [hasCode ? newCode() : null, newToken(workspaceId)];
  const codeHash = code && keys.index(codeOf(id, code), CODE_INDEX);
  await keepCode(ctx, id, { codeHash, tokenHash: tokenHashOf(token) });
  const workspace = await workspaceName(ctx);
  await ctx.services.mailer.send({
    to,
    subject: code ? `Your code to sign in to ${workspace}` : `Sign in to ${workspace}`,
    text: [
      ...(code
        ? [`Enter this code within 10 minutes to sign in to ${workspace}:`, code, 'Or open this link:']
        : [`Open this link within 10 minutes to sign in to ${workspace}:`]),
      signInPage(ctx.services.config, token),
      `If you did not want to sign in, do nothing, and give the ${code ? 'code' : 'link'} to nobody.`,
    ].join('\n\n'),
  });
}
