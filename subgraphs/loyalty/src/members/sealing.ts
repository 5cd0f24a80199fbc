import { createSecretKey, type KeyObject } from 'node:crypto';
import { pooledRandomBytes } from '@loyalty/platform/base/random-pool';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { decrypt, encrypt, sealWith } from '@loyalty/platform/crypto/keyring-cipher';
import type { CheckedInput } from './members.input.ts';
import type { MemberDetails } from './members.store.ts';

/** The key that seals the personal data of one member; it is deleted when the member is erased. */
export interface MemberKey {
  readonly memberId: string;
  readonly key: KeyObject;
}

/** A member's key as the row stores it, sealed with the workspace's key; null after the member is erased. */
export interface SealedMemberKey {
  readonly id: string;
  readonly keySealed: Uint8Array | null;
}

const KEY_BYTES = 32;

/** Format of sealed data: version, initialisation vector, ciphertext, tag. */
const HEADER = Buffer.of(1);

const contextOfKey = (memberId: string): string => `member.key:${memberId}`;

/** Creates a key for a member; returns it plain and in its stored form. */
export function createMemberKey(
  { sealingKey }: Pick<WorkspaceKeyring, 'sealingKey'>,
  memberId: string,
): { readonly key: MemberKey; readonly keySealed: Uint8Array } {
  const bytes = pooledRandomBytes(KEY_BYTES);
  const keySealed = sealWith(sealingKey, bytes.toString('base64'), contextOfKey(memberId));
  return { key: { memberId, key: createSecretKey(bytes) }, keySealed };
}

/**
 * Decrypted keys. All fields of a loaded row share the same bytes, so a member's key is decrypted once for
 * them.
 */
const opened = new WeakMap<Uint8Array, Promise<MemberKey>>();

/** Returns the key of a member, without a statement; null after the member is erased. */
export async function openMemberKey(
  ctx: Context,
  { id, keySealed }: SealedMemberKey,
): Promise<MemberKey | null> {
  if (!keySealed) return null;
  let opening = opened.get(keySealed);
  if (!opening) {
    opening = ctx.services.keyring
      .open(ctx.scope.workspaceId, keySealed, contextOfKey(id))
      .then((text) => ({ memberId: id, key: createSecretKey(Buffer.from(text, 'base64')) }));
    opened.set(keySealed, opening);
  }
  return opening;
}

/** Seals text; `context` names the kind of text, and `openFor` needs the same context. */
export const sealFor = ({ memberId, key }: MemberKey, text: string, context: string): Uint8Array =>
  encrypt(key, HEADER, Buffer.from(text, 'utf8'), `${memberId}:${context}`);

/** Decrypts text that `sealFor` sealed for the same member and context. */
export function openFor({ memberId, key }: MemberKey, sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const text = decrypt(key, bytes, HEADER.length, `${memberId}:${context}`);
  if (!text) throw new Error(`What is sealed of member ${memberId} is damaged or belongs to another.`);
  return text.toString('utf8');
}

/** The context of each sealed personal field. */
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

/**
 * Returns checked input in its stored form: personal fields are sealed. Without a key they can only be
 * cleared.
 */
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

/** Seals the key, address and details of a new member. */
export function sealMember(
  keys: Pick<WorkspaceKeyring, 'sealingKey'>,
  { id, email, details }: { readonly id: string; readonly email: string; readonly details: CheckedInput },
): { readonly keySealed: Uint8Array; readonly emailSealed: Uint8Array; readonly details: MemberDetails } {
  const { key, keySealed } = createMemberKey(keys, id);
  const emailSealed = sealPersonal(key, 'email', email)!;
  return { keySealed, emailSealed, details: sealDetails(key, details) };
}
