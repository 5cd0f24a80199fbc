import type { Context } from '@loyalty/platform/context';
import { EMAIL_INDEX } from '@loyalty/platform/email';
import { newId } from '@loyalty/platform/ids';
import { z } from 'zod';
import { memberRefs } from '../member-refs/member-refs.service.ts';
import { createMemberKey } from '../members/member-key.ts';
import { sealPersonal } from '../members/members.personal.ts';
import { insertImported, linkMembers, type NewImported } from './imported-members.store.ts';

/** How a person in a file may be found among the members. */
const named = z.object({ externalId: z.string().min(1).max(200), emailIndexes: z.array(z.string()) });
type Named = z.infer<typeof named>;

const imported = z.object({
  externalId: z.string().min(1).max(200),
  /** Trimmed, in lower case; null where the workspace has none. */
  email: z.email().max(254).nullable(),
  /** When the person joined. */
  createdAt: z.coerce.date(),
  status: z.enum(['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE']),
});
export type ImportedMember = z.infer<typeof imported>;

export type MatchConflict = 'ID_CONFLICT' | 'EMAIL_CONFLICT' | 'MEMBER_RESTRICTED';

/** The member that somebody in a file is. */
export interface Match {
  /** Null where there is none yet, or a conflict. */
  readonly memberId: string | null;
  readonly conflict: MatchConflict | null;
  /** The member is found by its address and has no external id yet. */
  readonly isToLink: boolean;
}

/**
 * Finds people of a file among the members by external id and by e-mail address; nothing is written.
 *
 * @param members - `[{externalId, emailIndexes}]`, the indexes of the context EMAIL_INDEX
 * @returns in the same order: ID_CONFLICT where the member of this external id has another address,
 * EMAIL_CONFLICT where the address is that of a member with another external id, MEMBER_RESTRICTED where
 * nothing may be kept about the member
 * @remarks Source: requirement M-IMP-15
 */
export const matchMembers = (ctx: Context, members: unknown): Promise<Match[]> =>
  match(ctx, z.array(named).parse(members));

async function match(ctx: Context, people: readonly Named[]): Promise<Match[]> {
  const known = await memberRefs(ctx, {
    emailIndexes: people.flatMap(({ emailIndexes }) => emailIndexes),
    externalIds: people.map(({ externalId }) => externalId),
  });
  const byExternalId = new Map(known.map((member) => [member.externalId, member]));
  const byEmail = new Map(known.map((member) => [member.emailIndex, member]));
  return people.map(({ externalId, emailIndexes }) => {
    const own = byExternalId.get(externalId) ?? null;
    const holder = emailIndexes.map((index) => byEmail.get(index)).find(Boolean) ?? null;
    const conflict = conflictOf(own, holder, emailIndexes.length > 0);
    const memberId = conflict ? null : ((own ?? holder)?.id ?? null);
    return { memberId, conflict, isToLink: memberId !== null && own === null };
  });
}

type Known = Awaited<ReturnType<typeof memberRefs>>[number];

/** @param own - who has the external id @param holder - who has the address */
function conflictOf(own: Known | null, holder: Known | null, hasEmail: boolean): MatchConflict | null {
  if (own?.isRestricted || holder?.isRestricted) return 'MEMBER_RESTRICTED';
  if (holder && own?.id !== holder.id && (own || holder.externalId !== null)) return 'EMAIL_CONFLICT';
  return own && hasEmail && !holder ? 'ID_CONFLICT' : null;
}

/**
 * Makes everybody of the list a member and tells who is who. Who is known by external id, or by an e-mail
 * address without an external id beside it, is that member, and keeps its status: nobody is subscribed again.
 * Others are enrolled with IMPORT as their source and the tier that takes no points. Single members tell no
 * events. Asked again with the same list, it changes nothing and answers the same.
 *
 * @param members - `[ImportedMember]`; an external id and an address may stand in the list once
 * @returns matches in the same order; those with a conflict are left as they are, the others have an id
 * @remarks Source: requirement M-IMP-15; model API, section 2 "Capability", rule 3
 */
export async function ensureMembers(ctx: Context, members: unknown): Promise<Match[]> {
  const people = z.array(imported).parse(members);
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const names = people.map(({ externalId, email }) => ({
    externalId,
    emailIndexes: email === null ? [] : keys.indexes(email, EMAIL_INDEX),
  }));
  return ctx.transaction(async (tx) => {
    const before = await match(tx, names);
    const [links, fresh] = [[] as { id: string; externalId: string }[], [] as NewImported[]];
    for (const [at, { memberId, conflict, isToLink }] of before.entries()) {
      const { externalId, email, createdAt, status } = people[at]!;
      if (isToLink) links.push({ id: memberId!, externalId });
      if (memberId !== null || conflict !== null) continue;
      const id = newId(tx.clock);
      const { key, keySealed } = createMemberKey(keys, id);
      const emailIndex = names[at]!.emailIndexes[0] ?? null;
      const emailSealed = sealPersonal(key, 'email', email);
      fresh.push({ id, externalId, status, createdAt, keySealed, emailIndex, emailSealed });
    }
    await linkMembers(tx, links);
    await insertImported(tx, fresh);
    // Read again, because somebody else may have enrolled one of them meanwhile.
    const after = links.length + fresh.length > 0 ? await match(tx, names) : before;
    return after.map((found) =>
      found.memberId === null && !found.conflict ? { ...found, conflict: 'ID_CONFLICT' } : found,
    );
  });
}
