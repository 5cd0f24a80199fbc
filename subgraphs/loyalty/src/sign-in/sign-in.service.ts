import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { checkEmail, EMAIL_INDEX } from '@loyalty/platform/base/email';
import { invalid, notFound } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { tokenHashOf } from '@loyalty/platform/crypto/token-hash';
import type { SignedSession } from '@loyalty/platform/identity/session-token';
import { publish } from '@loyalty/platform/work/events';
import { workspaceOf } from '../enrollment/confirmation-token.ts';
import { getOpenForm } from '../enrollment-forms/enrollment-forms.service.ts';
import { startMemberSession } from './member-sessions.service.ts';
import { memberSignInRequested } from './sign-in.events.ts';
import { insertSignIn, isKnown, tryCode, useLink } from './sign-in.store.ts';
import { CODE_INDEX, codeOf, handleOf, normalCode, readHandle } from './sign-in-code.ts';
import { guardCompletion, guardStart } from './sign-in-guard.ts';

const LIFETIME_MS = 10 * MINUTE_MS;
const ATTEMPTS_MAX = 5;

/** A sign-in that waits for its code. */
interface StartedSignIn {
  readonly id: string;
  readonly expiresAt: Date;
}

/**
 * Requests a mail with a code and a link to the member with an address. The answer and the work are the same
 * for an address that no member has. The workspace and mode are those of the key, or of an open sign-up form.
 * After twenty codes in a day, mails to the address have only the link.
 *
 * @throws AppError ENROLLMENT_FORM_NOT_FOUND (404), VALIDATION_FAILED (400), RATE_LIMITED (429),
 *   GUARD_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 5, line 7; requirements L-LBS-10
 */
export async function startMemberSignIn(
  ctx: Context,
  input: { readonly email: string; readonly form?: string | null | undefined },
): Promise<StartedSignIn> {
  const inside = await inWorkspace(ctx, input.form ?? null);
  const email = checkEmail('input.email', input.email);
  const { hasCode } = await guardStart(inside, email);
  const { workspaceId } = inside.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  const createdAt = ctx.clock.now();
  const id = newId(ctx.clock);
  const expiresAt = addMs(createdAt, LIFETIME_MS);
  await inside.transaction(async (tx) => {
    await insertSignIn(tx, { id, createdAt, expiresAt }, keys.indexes(email, EMAIL_INDEX));
    await publish(tx, memberSignInRequested, { memberSignInId: id, hasCode });
  });
  return { id: handleOf(workspaceId, id), expiresAt };
}

/**
 * Signs a member in for 30 days with the mailed code. A code works once, within 10 minutes, and for fewer
 * than 5 tries.
 *
 * @throws AppError CODE_INVALID (400) for every fault of handle or code, MEMBER_CLOSED (409), RATE_LIMITED
 *   (429), GUARD_UNAVAILABLE (503)
 */
export async function completeMemberSignIn(
  ctx: Context,
  handle: string,
  code: string,
): Promise<SignedSession> {
  await guardCompletion(ctx);
  const signIn = readHandle(handle);
  // A workspace's keys are created on first use, so the id must be that of a real one.
  if (!signIn || !(await isKnown(ctx, signIn))) throw wrongCode();
  const keys = await ctx.services.keyring.of(signIn.workspaceId);
  const hashes = keys.indexes(codeOf(signIn.id, normalCode(code)), CODE_INDEX);
  // A wrong code must count, so the transaction is committed, and the code refused after it.
  const session = await ctx.transaction(async (tx) => {
    const completed = await tryCode(tx, signIn, hashes, ATTEMPTS_MAX);
    return completed && openSession(tx, signIn.workspaceId, completed.memberId);
  });
  if (!session) throw wrongCode();
  return session;
}

/**
 * Signs a member in for 30 days with the mailed link, which works once, within 10 minutes.
 *
 * @throws AppError TOKEN_INVALID (400), MEMBER_CLOSED (409), RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function completeMemberSignInByToken(ctx: Context, token: string): Promise<SignedSession> {
  await guardCompletion(ctx);
  const workspaceId = workspaceOf(token);
  const session = await ctx.transaction(async (tx) => {
    const completed = workspaceId && (await useLink(tx, workspaceId, tokenHashOf(token)));
    return completed ? openSession(tx, workspaceId, completed.memberId) : null;
  });
  if (!session)
    throw invalid('token', 'was used or is older than 10 minutes: sign in again', 'TOKEN_INVALID');
  return session;
}

/** Returns the context of a system caller in the workspace of the key or the form. */
async function inWorkspace(ctx: Context, formToken: string | null): Promise<Context> {
  const isKey = ctx.caller.kind !== 'ANONYMOUS';
  if (!formToken && !isKey) throw invalid('input.form', inputRule('REQUIRED', 'is required without a key'));
  const form = formToken ? await getOpenForm(ctx, formToken) : null;
  const scope = isKey ? ctx.scope : form!;
  if (form && (form.workspaceId !== scope.workspaceId || form.mode !== scope.mode))
    throw notFound('enrollment form', formToken!);
  return ctx.as(systemCaller('member-sign-in', scope));
}

const openSession = (tx: Context, workspaceId: string, memberId: string): Promise<SignedSession> =>
  startMemberSession(tx.as(systemCaller('member-sign-in', { workspaceId, mode: 'LIVE' })), memberId);

const wrongCode = () =>
  invalid(
    'code',
    'is wrong, was used, or is older than 10 minutes: check it, or sign in again',
    'CODE_INVALID',
  );
