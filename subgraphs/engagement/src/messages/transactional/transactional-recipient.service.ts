import type { Context } from '@loyalty/platform/context';
import { conflict, notFound } from '@loyalty/platform/errors';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';
import { isUuid } from '@loyalty/platform/values/ids';
import { findMembers } from '../../peers.ts';
import { messageKeys } from '../messages/message-personal.ts';
import { type MemberVariables, memberVariables } from '../rendering/member-variables.service.ts';
import type { TransactionalRequest } from './transactional.input.ts';

/** Who gets a message. */
export interface Recipient {
  readonly address: string;
  readonly emailIndex: string;
  /** Every index under which the address may be stored. */
  readonly emailIndexes: readonly string[];
  /** Also where the address was given and a member has it, so that the member's erasure finds the message. */
  readonly memberId: string | null;
  readonly member: MemberVariables | null;
}

/**
 * @throws AppError MEMBER_NOT_FOUND (404), MEMBER_CLOSED, MEMBER_RESTRICTED, MEMBER_WITHOUT_ADDRESS (409),
 * PEER_UNAVAILABLE (503)
 */
export async function recipientOf(ctx: Context, { to, memberId }: TransactionalRequest): Promise<Recipient> {
  const keys = await messageKeys(ctx);
  if (memberId !== null && !isUuid(memberId)) throw notFound('member', memberId);
  const wanted = to !== null ? { emailIndexes: keys.indexes(to, EMAIL_INDEX) } : { ids: [memberId!] };
  const [found] = await findMembers(ctx, wanted);
  if (memberId !== null && !found) throw notFound('member', memberId);
  if (found?.isRestricted)
    throw conflict('MEMBER_RESTRICTED', `Processing of member ${found.id} is restricted at its request.`);
  if (found?.status === 'DEACTIVATION_PENDING')
    throw conflict('MEMBER_CLOSED', `Member ${found.id} is about to be erased and gets no messages.`);
  const member = found ? ((await memberVariables(ctx, [found.id])).get(found.id) ?? null) : null;
  const address = to ?? member?.email;
  if (!address) throw conflict('MEMBER_WITHOUT_ADDRESS', `Member ${memberId} has no e-mail address.`);
  const emailIndexes = keys.indexes(address, EMAIL_INDEX);
  const emailIndex = found?.emailIndex ?? emailIndexes[0]!;
  return { address, emailIndex, emailIndexes, memberId: found?.id ?? null, member };
}
