import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { createMemberKey, type MemberKey, sealFor } from './member-key.ts';
import type { CheckedInput } from './members.input.ts';
import type { MemberDetails } from './members.store.ts';

/** The context under which each personal field is sealed. */
export const personalContexts = {
  email: 'member.email',
  name: 'member.name',
  phone: 'member.phone',
  birthOn: 'member.birth',
} as const;

export type PersonalField = keyof typeof personalContexts;

/** Seals a personal field with the member's own key; null stays null. */
export const sealPersonal = (key: MemberKey, field: PersonalField, text: string | null): Uint8Array | null =>
  text === null ? null : sealFor(key, text, personalContexts[field]);

/** Checked input as it is stored: personal fields sealed. Without a key they can only be cleared. */
export function sealDetails(key: MemberKey | null, input: CheckedInput): MemberDetails {
  const { fullName, phone, birthOn, ...plain } = input;
  const sealed = (field: 'name' | 'phone' | 'birthOn', text: string | null) =>
    key && sealPersonal(key, field, text);
  return {
    ...plain,
    ...(fullName !== undefined && { nameSealed: sealed('name', fullName) }),
    ...(phone !== undefined && { phoneSealed: sealed('phone', phone) }),
    ...(birthOn !== undefined && { birthSealed: sealed('birthOn', birthOn) }),
  };
}

/** A new member's key, address and details, sealed. */
export function sealMember(
  keys: Pick<WorkspaceKeyring, 'sealingKey'>,
  { id, email, details }: { readonly id: string; readonly email: string; readonly details: CheckedInput },
): { readonly keySealed: Uint8Array; readonly emailSealed: Uint8Array; readonly details: MemberDetails } {
  const { key, keySealed } = createMemberKey(keys, id);
  const emailSealed = sealPersonal(key, 'email', email)!;
  return { keySealed, emailSealed, details: sealDetails(key, details) };
}
