import { maskEmail, maskName, maskPhone } from '@loyalty/platform/base/masks';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { audit } from '@loyalty/platform/identity/audit';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import type { Member, MemberPage } from './members.store.ts';
import { openFor, openMemberKey, type PersonalField, personalContexts } from './sealing.ts';

/** The column and the mask of each sealed field. */
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

/** Returns a personal field, unmasked if only this member was requested, otherwise masked. */
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
 * Like `openPersonal`, but masked for callers who may not read members: callers with only members:write, and
 * sessions that were started with that scope for a member. On a page of a list, staff see names, addresses
 * and phones, and this read is audited.
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
  await ctx.load(auditPages, page);
  return openPersonal(ctx, unmasked(member), field);
}

/**
 * Returns the name like `showPersonal`.
 *
 * @param masked - false: staff see it also where other objects refer to the member, as in a list of orders,
 *   and
 *   this read is audited; true: it is masked for every caller
 */
export async function showName(ctx: Context, member: Member, masked: boolean | null): Promise<string | null> {
  if (masked) return openPersonal(ctx, { ...member, isUnmasked: false }, 'name');
  const isAsked = masked === false && !member.isUnmasked && !member.page;
  const isStaff = ctx.caller.kind === 'USER' && scopesSuffice(ctx.caller, READ);
  if (!isAsked || !isStaff || !member.nameSealed) return showPersonal(ctx, member, 'name');
  await ctx.load(auditReferred, member.id);
  return openPersonal(ctx, unmasked(member), 'name');
}

/** Audits the reading of pages, once for all fields of a page. */
const auditPages = loader(async (ctx, pages: readonly MemberPage[]) => {
  for (const members of pages) await noteRead(ctx, members);
  return new Map();
});

/** Audits the reading of names of members that one answer refers to, all in one entry. */
const auditReferred = loader(async (ctx, members: readonly string[]) => {
  await noteRead(ctx, members);
  return new Map();
});

async function noteRead(ctx: Context, members: readonly string[]): Promise<void> {
  const what = { action: 'readMembers', resourceType: 'MemberConnection', resourceId: members[0]! };
  await audit(ctx, { ...what, after: { members } });
}

const READ = [['members:read']];

/** Returns the member with personal fields unmasked. */
export const unmasked = (member: Member): Member => ({ ...member, isUnmasked: true });

/** Returns the members of a page, which staff may read unmasked. */
export function onPage(members: readonly Member[]): Member[] {
  const page = members.map(({ id }) => id);
  return members.map((member) => ({ ...member, page }));
}
