import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import type { CheckedInput } from '../members/members.input.ts';
import type { MemberDetails } from '../members/members.store.ts';
import { sealMember } from '../members/sealing.ts';

/** A member of a file; absent details were not sent. */
export interface MemberToWrite extends MemberDetails {
  readonly id: string;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

/** A member that a file enrols. */
export interface NewMember {
  readonly id: string;
  readonly email: string;
  readonly emailIndex: string;
  readonly isUnsubscribed: boolean;
  readonly details: CheckedInput;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

/** A new member as it is stored. */
export interface NewMemberRow extends MemberToWrite {
  readonly keySealed: Uint8Array;
  readonly emailIndex: string;
  readonly emailSealed: Uint8Array;
  readonly isUnsubscribed: boolean;
}

/** Seals a new member for storage. */
export function sealedRow(keys: Pick<WorkspaceKeyring, 'sealingKey'>, member: NewMember): NewMemberRow {
  const { email: _, details: __, ...plain } = member;
  const { details, ...sealed } = sealMember(keys, member);
  return { ...plain, ...details, ...sealed };
}
