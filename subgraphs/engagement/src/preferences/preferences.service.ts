import { systemCaller } from '@loyalty/platform/base/caller';
import { conflict, invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from '#generated/peers';
import { type RecipientLink, readToken } from '../links/link-tokens.ts';
import { recordMessageEvent } from '../messages/message-events.service.ts';
import { findMembers, questions } from '../peers.ts';
import { suppressIndex, suppressionOfMember } from '../suppressions/suppressions.service.ts';

/** The choices of the recipient of a message. */
export interface Preferences {
  readonly workspaceName: string;
  readonly isUnsubscribed: boolean;
  readonly consents: readonly Preference[];
}

/**
 * Suppresses the address of a link in a message, as `unsubscribe` does.
 *
 * @param token - from `linksFor`; it never expires and can be used repeatedly
 * @throws AppError TOKEN_INVALID (400)
 */
export async function unsubscribeByToken(ctx: Context, token: string): Promise<true> {
  const { scoped, link } = await recipientOf(ctx, token);
  await suppressRecipient(scoped, link);
  return true;
}

/**
 * Returns the choices of the recipient of a message. An address without a member has one choice: to
 * unsubscribe.
 *
 * @throws AppError TOKEN_INVALID (400), PEER_UNAVAILABLE (503)
 */
export async function findPreferences(ctx: Context, token: string): Promise<Preferences> {
  const { scoped, link } = await recipientOf(ctx, token);
  return preferencesOf(scoped, link, await memberWith(scoped, link.emailIndex));
}

/**
 * Sets the consents of the recipient. The address is unsubscribed first, because that needs no other service;
 * loyalty then withdraws the consent to mail. After a failure, a repeated call completes the work.
 *
 * @throws AppError TOKEN_INVALID, VALIDATION_FAILED (400); RESUBSCRIPTION_REFUSED (409): requirements
 * L-UNS-05; PEER_UNAVAILABLE (503)
 */
export async function setPreferencesByToken(
  ctx: Context,
  token: string,
  wanted: readonly Preference[],
): Promise<Preferences> {
  const { scoped, link } = await recipientOf(ctx, token);
  const byPurpose = new Map(wanted.map(({ purpose, isGranted }) => [purpose, isGranted]));
  if (byPurpose.size < wanted.length)
    throw invalid('input.consents', inputRule('DISTINCT', 'must name each purpose once'));
  const mail = byPurpose.get('EMAIL_MARKETING');
  if (mail === false) await suppressRecipient(scoped, link);
  const memberId = await memberWith(scoped, link.emailIndex);
  const before = await preferencesOf(scoped, link, memberId);
  const changes = before.consents.flatMap(({ purpose, isGranted }) => {
    const wants = byPurpose.get(purpose) ?? isGranted;
    return wants === isGranted ? [] : { purpose, isGranted: wants };
  });
  // Withdrawals were applied above and are part of `before`, so any remaining change is a grant.
  if (changes.some(({ purpose }) => purpose === 'EMAIL_MARKETING')) throw resubscription();
  if (memberId) for (const change of changes) await setConsent(scoped, memberId, change);
  const after = before.consents.map(
    (consent) => changes.find(({ purpose }) => purpose === consent.purpose) ?? consent,
  );
  return { ...before, consents: after };
}

const resubscription = () =>
  conflict(
    'RESUBSCRIPTION_REFUSED',
    'The address is unsubscribed. Ask the sender by another way to subscribe it again.',
  );

/** Returns the recipient of a token, and the context in which the product acts for them. */
async function recipientOf(ctx: Context, token: string): Promise<{ scoped: Context; link: RecipientLink }> {
  const link = await readToken(ctx.services.keyring, token);
  if (link?.kind !== 'RECIPIENT') {
    throw invalid('token', 'is not from a valid link: open the link in the message again', 'TOKEN_INVALID');
  }
  const { workspaceId, mode } = link;
  return { scoped: ctx.as(systemCaller('unsubscribe', { workspaceId, mode })), link };
}

/** Suppresses the address. The message is recorded only for the first suppression. */
const suppressRecipient = (scoped: Context, { emailIndex, messageId }: RecipientLink): Promise<void> =>
  scoped.transaction(async (tx) => {
    const isNew = await suppressIndex(tx, emailIndex);
    if (!isNew || messageId === null) return;
    await recordMessageEvent(tx, { messageId, kind: 'UNSUBSCRIBED', occurredAt: tx.clock.now() });
  });

async function preferencesOf(
  scoped: Context,
  { emailIndex }: RecipientLink,
  memberId: string | null,
): Promise<Preferences> {
  const suppression = await suppressionOfMember(scoped, emailIndex);
  const isUnsubscribed = suppression?.isUnsubscribed ?? false;
  const known = memberId ? await consentsOf(scoped, memberId) : [];
  const consents: readonly Preference[] =
    known.length > 0 ? known : [{ purpose: 'EMAIL_MARKETING', isGranted: true }];
  return {
    workspaceName: await senderName(scoped),
    isUnsubscribed,
    consents: consents.map(({ purpose, isGranted }) => ({
      purpose,
      isGranted: purpose === 'EMAIL_MARKETING' && isUnsubscribed ? false : isGranted,
    })),
  };
}

/** The consent to one purpose. */
export interface Preference {
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
}

/** Returns the name of the workspace. @throws AppError PEER_UNAVAILABLE (503) */
async function senderName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}

/** Returns the member who has an address now, or null. @throws AppError PEER_UNAVAILABLE (503) */
async function memberWith(ctx: Context, emailIndex: string): Promise<string | null> {
  const [member] = await findMembers(ctx, { emailIndexes: [emailIndex] });
  return member?.id ?? null;
}

/** @throws AppError PEER_UNAVAILABLE (503) */
async function consentsOf(ctx: Context, id: string): Promise<readonly Preference[]> {
  const { member } = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberConsents, { id });
  return member?.consents ?? [];
}

/**
 * Sets a consent. Has no effect if it is already set. @throws AppError MEMBER_NOT_FOUND (404),
 * PEER_UNAVAILABLE (503)
 */
async function setConsent(ctx: Context, id: string, consent: Preference): Promise<void> {
  await ctx.services.peers.ask(ctx, 'loyalty', questions.SetConsent, { id, ...consent });
}
