import { maskEmail, maskName, maskPhone } from '@loyalty/platform/base/masks';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { audit } from '@loyalty/platform/identity/audit';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import type { Member, MemberPage } from './members.store.ts';
import { openFor, openMemberKey, type PersonalField, personalContexts } from './sealing.ts';

/** The column of each sealed field, and its mask. */
const personal: Readonly<Record<PersonalField, Shown>> = {
  email: { column: 'emailSealed', mask: maskEmail },
  name: { column: 'nameSealed', mask: maskName },
  phone: { column: 'phoneSealed', mask: maskPhone },
  birthOn: { column: 'birthSealed', mask: () => null },
};

interface Shown {
  readonly column: 'emailSealed' | 'nameSealed' | 'phoneSealed' | 'birthSealed';
  readonly mask: (text: string) => string | null;
}

/** A personal field, unmasked where the member was requested alone, masked otherwise. */
export async function openPersonal(
  ctx: Context,
  member: Member,
  field: PersonalField,
): Promise<string | null> {
  const { column, mask } = personal[field];
  const sealed = member[column];
  if (!sealed) return null;
  const key = await openMemberKey(ctx, member);
  if (!key) return null;
  const text = openFor(key, sealed, personalContexts[field]);
  return member.isUnmasked ? text : mask(text);
}

/**
 * As `openPersonal`, but masked for callers who may not read members: callers with members:write only, and
 * sessions that were started with that scope for a member. On a page of a list staff see names, addresses
 * and phones, and that they read the page is noted.
 */
export async function showPersonal(
  ctx: Context,
  member: Member,
  field: PersonalField,
): Promise<string | null> {
  const mayRead = scopesSuffice(ctx.caller, READ);
  const { page } = member;
  if (!page || field === 'birthOn' || !mayRead || ctx.caller.kind !== 'USER')
    return openPersonal(ctx, mayRead ? member : { ...member, isUnmasked: false }, field);
  await ctx.load(readPages, page);
  return openPersonal(ctx, unmasked(member), field);
}

/**
 * The name, as `showPersonal` has it.
 *
 * @param masked - false: staff see it wherever the member stands, as in a list of orders, and that they read
 *   it is noted; true: nobody sees it
 */
export async function showName(ctx: Context, member: Member, masked: boolean | null): Promise<string | null> {
  if (masked) return openPersonal(ctx, { ...member, isUnmasked: false }, 'name');
  const isAsked = masked === false && !member.isUnmasked && !member.page;
  const isStaff = ctx.caller.kind === 'USER' && scopesSuffice(ctx.caller, READ);
  if (!isAsked || !isStaff || !member.nameSealed) return showPersonal(ctx, member, 'name');
  await ctx.load(readReferred, member.id);
  return openPersonal(ctx, unmasked(member), 'name');
}

/** Notes in the audit log who read these pages, once for all fields of a page. */
const readPages = loader(async (ctx, pages: readonly MemberPage[]) => {
  for (const members of pages) await noteRead(ctx, members);
  return new Map();
});

/** Notes who read the names of members that one answer refers to, all at once. */
const readReferred = loader(async (ctx, members: readonly string[]) => {
  await noteRead(ctx, members);
  return new Map();
});

async function noteRead(ctx: Context, members: readonly string[]): Promise<void> {
  const what = { action: 'readMembers', resourceType: 'MemberConnection', resourceId: members[0]! };
  await audit(ctx, { ...what, after: { members } });
}

const READ = [['members:read']];

/** The member with personal fields to be shown unmasked. */
export const unmasked = (member: Member): Member => ({ ...member, isUnmasked: true });

/** The members of a page, which staff may read unmasked. */
export function onPage(members: readonly Member[]): Member[] {
  const page = members.map(({ id }) => id);
  return members.map((member) => ({ ...member, page }));
}
