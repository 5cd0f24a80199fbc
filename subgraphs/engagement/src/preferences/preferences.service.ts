import { systemCaller } from '@loyalty/platform/base/caller';
import { conflict, invalid } from '@loyalty/platform/base/errors';
import { inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from '#generated/peers';
import { type RecipientLink, readToken } from '../links/link-tokens.ts';
import { recordMessageEvent } from '../messages/message-events.service.ts';
import { findMembers, questions } from '../peers.ts';
import { suppressIndex, suppressionOfMember } from '../suppressions/suppressions.service.ts';

/** What the recipient of a message has chosen. */
export interface Preferences {
  readonly workspaceName: string;
  readonly isUnsubscribed: boolean;
  readonly consents: readonly Preference[];
}

/**
 * Suppresses the address that a link in a message is for, as `unsubscribe` does.
 *
 * @param token - of `linksFor`; good for ever, and more than once
 * @throws AppError TOKEN_INVALID (400)
 */
export async function unsubscribeByToken(ctx: Context, token: string): Promise<true> {
  const { there, link } = await recipientOf(ctx, token);
  await suppressRecipient(there, link);
  return true;
}

/**
 * What the recipient of a message has chosen. An address without a member has one choice: to unsubscribe.
 *
 * @throws AppError TOKEN_INVALID (400), PEER_UNAVAILABLE (503)
 */
export async function findPreferences(ctx: Context, token: string): Promise<Preferences> {
  const { there, link } = await recipientOf(ctx, token);
  return preferencesOf(there, link, await memberWith(there, link.emailIndex));
}

/**
 * Sets what the recipient agrees to. The address is unsubscribed first: that needs no other service, and
 * loyalty withdraws the consent to mail because of it. After a failure the same call again does the rest.
 *
 * @throws AppError TOKEN_INVALID, VALIDATION_FAILED (400); RESUBSCRIPTION_REFUSED (409): requirements
 * L-UNS-05; PEER_UNAVAILABLE (503)
 */
export async function setPreferencesByToken(
  ctx: Context,
  token: string,
  wanted: readonly Preference[],
): Promise<Preferences> {
  const { there, link } = await recipientOf(ctx, token);
  const byPurpose = new Map(wanted.map(({ purpose, isGranted }) => [purpose, isGranted]));
  if (byPurpose.size < wanted.length)
    throw invalid('input.consents', inputRule('DISTINCT', 'must name each purpose once'));
  const mail = byPurpose.get('EMAIL_MARKETING');
  if (mail === false) await suppressRecipient(there, link);
  const memberId = await memberWith(there, link.emailIndex);
  const before = await preferencesOf(there, link, memberId);
  const changes = before.consents.flatMap(({ purpose, isGranted }) => {
    const wants = byPurpose.get(purpose) ?? isGranted;
    return wants === isGranted ? [] : { purpose, isGranted: wants };
  });
  // What was withdrawn above is withdrawn in `before`: what is left of it here is a grant.
  if (changes.some(({ purpose }) => purpose === 'EMAIL_MARKETING')) throw resubscription();
  if (memberId) for (const change of changes) await setConsent(there, memberId, change);
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

/** The recipient that a token names, and the context in which the product acts for it. */
async function recipientOf(ctx: Context, token: string): Promise<{ there: Context; link: RecipientLink }> {
  const link = await readToken(ctx.services.keyring, token);
  if (link?.kind !== 'RECIPIENT') {
    throw invalid('token', 'is not from a valid link: open the link in the message again', 'TOKEN_INVALID');
  }
  const { workspaceId, mode } = link;
  return { there: ctx.as(systemCaller('unsubscribe', { workspaceId, mode })), link };
}

/** The message that led to it is named the first time only. */
const suppressRecipient = (there: Context, { emailIndex, messageId }: RecipientLink): Promise<void> =>
  there.transaction(async (tx) => {
    const isNew = await suppressIndex(tx, emailIndex);
    if (!isNew || messageId === null) return;
    await recordMessageEvent(tx, { messageId, kind: 'UNSUBSCRIBED', occurredAt: tx.clock.now() });
  });

async function preferencesOf(
  there: Context,
  { emailIndex }: RecipientLink,
  memberId: string | null,
): Promise<Preferences> {
  const suppression = await suppressionOfMember(there, emailIndex);
  const isUnsubscribed = suppression?.isUnsubscribed ?? false;
  const known = memberId ? await consentsOf(there, memberId) : [];
  const consents: readonly Preference[] =
    known.length > 0 ? known : [{ purpose: 'EMAIL_MARKETING', isGranted: true }];
  return {
    workspaceName: await senderName(there),
    isUnsubscribed,
    consents: consents.map(({ purpose, isGranted }) => ({
      purpose,
      isGranted: purpose === 'EMAIL_MARKETING' && isUnsubscribed ? false : isGranted,
    })),
  };
}

/** Whether somebody agrees to one purpose. */
export interface Preference {
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
}

/** What the workspace is called. @throws AppError PEER_UNAVAILABLE (503) */
async function senderName(ctx: Context): Promise<string> {
  return (await ctx.services.peers.ask(ctx, 'workspace', questions.WorkspaceName, {})).workspace.name;
}

/** The member that has an address now; null without one. @throws AppError PEER_UNAVAILABLE (503) */
async function memberWith(ctx: Context, emailIndex: string): Promise<string | null> {
  const [member] = await findMembers(ctx, { emailIndexes: [emailIndex] });
  return member?.id ?? null;
}

/** @throws AppError PEER_UNAVAILABLE (503) */
async function consentsOf(ctx: Context, id: string): Promise<readonly Preference[]> {
  const { member } = await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberConsents, { id });
  return member?.consents ?? [];
}

/** The same again changes nothing. @throws AppError MEMBER_NOT_FOUND (404), PEER_UNAVAILABLE (503) */
async function setConsent(ctx: Context, id: string, consent: Preference): Promise<void> {
  await ctx.services.peers.ask(ctx, 'loyalty', questions.SetConsent, { id, ...consent });
}
