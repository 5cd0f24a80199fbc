import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { sealMember } from '../../members/members/members.sealing.ts';
import type { NewMember, NewMemberRow } from './imported-member.ts';

/** A new member as the row has it. */
export function sealedRow(keys: Pick<WorkspaceKeyring, 'sealingKey'>, member: NewMember): NewMemberRow {
  const { email: _, details: __, ...plain } = member;
  const { details, ...sealed } = sealMember(keys, member);
  return { ...plain, ...details, ...sealed };
}
