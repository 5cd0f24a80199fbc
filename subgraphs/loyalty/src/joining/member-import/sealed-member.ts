import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { createMemberKey } from '../../members/members/member-key.ts';
import { sealDetails, sealPersonal } from '../../members/members/members.sealing.ts';
import type { NewMember, NewMemberRow } from './imported-member.ts';

/** A new member as the row has it, sealed with a key of its own. */
export function sealMember(keys: Pick<WorkspaceKeyring, 'sealingKey'>, member: NewMember): NewMemberRow {
  const { id, email, details, ...plain } = member;
  const { key, keySealed } = createMemberKey(keys, id);
  const emailSealed = sealPersonal(key, 'email', email)!;
  return { ...plain, ...sealDetails(key, details), id, keySealed, emailSealed };
}
