import { scopesSuffice } from '@loyalty/platform/caller/refusal';
import type { Context } from '@loyalty/platform/context';
import { maskEmail } from '@loyalty/platform/values/email';
import { type MemberKey, openFor, openMemberKey, sealFor } from './member-key.ts';
import type { Member } from './members.store.ts';

/**
 * The sealed fields: the column of each, the context under which it is sealed, and its mask.
 */
const personal = {
  email: { column: 'emailSealed', context: 'member.email', mask: maskEmail },
  name: { column: 'nameSealed', context: 'member.name', mask: maskName },
  phone: { column: 'phoneSealed', context: 'member.phone', mask: (phone: string) => `***${phone.slice(-2)}` },
  birthOn: { column: 'birthSealed', context: 'member.birth', mask: () => null },
} as const;

type PersonalField = keyof typeof personal;

/** Seals a personal field with the member's own key; null stays null. */
export const sealPersonal = (key: MemberKey, field: PersonalField, text: string | null): Uint8Array | null =>
  text === null ? null : sealFor(key, text, personal[field].context);

/** A personal field, unmasked where the member was requested alone, masked otherwise. */
export async function openPersonal(
  ctx: Context,
  member: Member,
  field: PersonalField,
): Promise<string | null> {
  const { column, context, mask } = personal[field];
  const sealed = member[column];
  if (!sealed) return null;
  const key = await openMemberKey(ctx, member);
  if (!key) return null;
  const text = openFor(key, sealed, context);
  return member.isUnmasked ? text : mask(text);
}

/**
 * As `openPersonal`, but masked for callers who may not read members: callers with members:write only, and
 * sessions that were started with that scope for a member.
 */
export const showPersonal = (ctx: Context, member: Member, field: PersonalField): Promise<string | null> =>
  openPersonal(ctx, scopesSuffice(ctx.caller, READ) ? member : { ...member, isUnmasked: false }, field);

const READ = [['members:read']];

/** The member with personal fields to be shown unmasked. */
export const unmasked = (member: Member): Member => ({ ...member, isUnmasked: true });

/** `Jane van Doe` → `J. D.`. */
export function maskName(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const shown = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return shown.map((word) => `${first(word).toUpperCase()}.`).join(' ');
}

/** The first character, whole even where it takes two code units. */
const first = (text: string): string => Array.from(text)[0] ?? '';
