import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { openRecipient } from '../messages/message-personal.ts';
import { questions } from '../peers.ts';
import { browsersByMember } from '../push/push-subscriptions.service.ts';
import { type EmailSuppression, suppressionOfMember } from '../suppressions/suppressions.service.ts';
import { type MemberVariables, memberVariables } from '../templates/member-variables.service.ts';
import type { ClaimedMessage } from './sending.store.ts';

/** The current recipient of a message. */
export interface SendingRecipient {
  /** Null if the member has no address, and for web push. */
  readonly address: string | null;
  /** Blind index of the address; empty without an address. */
  readonly emailIndex: string;
  /** Null if the recipient is not a member, or the member is erased. */
  readonly member: MemberVariables | null;
  readonly reasons: EmailSuppression['reasons'];
  /** For web push: ids of the member's browsers; null while the module is off. */
  readonly browsers: readonly string[] | null;
}

/**
 * Finds the recipients of messages: one query to the loyalty subgraph and one statement for all of them; for
 * web push one more of each.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function recipientsOf(
  ctx: Context,
  keys: WorkspaceKeyring,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlyMap<string, SendingRecipient>> {
  const memberIds = messages.flatMap(({ memberId }) => (memberId ? [memberId] : []));
  const [members, browsers] = await Promise.all([
    memberVariables(ctx, [...new Set(memberIds)]),
    browsersFor(ctx, messages),
  ]);
  const recipients = await Promise.all(
    messages.map(async (message) => {
      const member = (message.memberId && members.get(message.memberId)) || null;
      const mail = message.channel === 'EMAIL' ? await mailbox(ctx, keys, message, member) : noMailbox;
      const own = browsers && (browsers.get(message.memberId ?? '') ?? []);
      return [message.id, { ...mail, member, browsers: own }] as const;
    }),
  );
  return new Map(recipients);
}

type Mailbox = Pick<SendingRecipient, 'address' | 'emailIndex' | 'reasons'>;

const noMailbox: Mailbox = { address: null, emailIndex: '', reasons: [] };

async function mailbox(
  ctx: Context,
  keys: WorkspaceKeyring,
  message: ClaimedMessage,
  member: MemberVariables | null,
): Promise<Mailbox> {
  const address = openRecipient(keys, message) ?? member?.email ?? null;
  const known = address ? keys.indexes(address, EMAIL_INDEX) : [];
  const indexes = [...new Set([message.emailIndex, ...known])].filter((index) => index !== '');
  const states = await Promise.all(indexes.map((index) => suppressionOfMember(ctx, index)));
  return {
    address,
    emailIndex: message.emailIndex || (member?.emailIndex ?? indexes[0] ?? ''),
    reasons: states.flatMap((state) => state?.reasons ?? []),
  };
}

async function browsersFor(
  ctx: Context,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const pushed = messages.filter(({ channel }) => channel === 'WEB_PUSH');
  const memberIds = pushed.flatMap(({ memberId }) => (memberId ? [memberId] : []));
  if (memberIds.length === 0 || !(await hasWebPush(ctx))) return null;
  return browsersByMember(ctx, [...new Set(memberIds)]);
}

/** Whether the module Web push is enabled in the workspace. @throws AppError PEER_UNAVAILABLE (503) */
async function hasWebPush(ctx: Context): Promise<boolean> {
  const { modules } = await ctx.services.peers.ask(ctx, 'workspace', questions.Modules, {});
  return modules.some(({ key, isEnabled }) => key === 'web_push' && isEnabled);
}
