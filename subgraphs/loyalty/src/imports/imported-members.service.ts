import { inTurns } from '@loyalty/platform/base/batches';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import type { ImportedMemberInput, MemberConflict, MemberMatch, NamedPersonInput } from '#generated/schema';
import { askOptOuts, type HasOptedOut, keepOptOuts } from '../consents/opt-outs.service.ts';
import { possibleMemberIds } from '../members/members.input.ts';
import { memberRefs } from '../members/members.service.ts';
import { createMemberKey, sealPersonal } from '../members/sealing.ts';
import { insertImported, linkMembers, type NewImported } from './imported-members.store.ts';

/** The match of a person in a file with a member. */
interface Match extends MemberMatch {
  /** The member is found by its address and has no external id yet. */
  readonly isToLink: boolean;
}

/**
 * Finds people of a file among the members by external id and by e-mail address; writes nothing.
 *
 * @param people - their indexes are of the context EMAIL_INDEX
 * @returns in the same order: ID_CONFLICT if the member of this external id has another address,
 *   EMAIL_CONFLICT if the address is that of a member with another external id, ID_OF_MEMBER if the external
 *   id is the id of another member, MEMBER_RESTRICTED if nothing may be stored about the member
 * @remarks Source: requirement M-IMP-15
 */
export async function matchMembers(ctx: Context, people: readonly NamedPersonInput[]): Promise<Match[]> {
  const known = await memberRefs(ctx, {
    ids: possibleMemberIds(people.map(({ externalId }) => externalId)),
    emailIndexes: people.flatMap(({ emailIndexes }) => emailIndexes),
    externalIds: people.map(({ externalId }) => externalId),
  });
  const byExternalId = new Map(known.map((member) => [member.externalId, member]));
  const byId = new Map(known.map((member) => [member.id, member]));
  const byEmail = new Map(known.map((member) => [member.emailIndex, member]));
  return people.map(({ externalId, emailIndexes }) => {
    const own = byExternalId.get(externalId) ?? null;
    const owner = emailIndexes.map((index) => byEmail.get(index)).find(Boolean) ?? null;
    const named = byId.get(externalId.toLowerCase()) ?? null;
    const conflict = conflictOf({ own, owner, named }, emailIndexes.length > 0);
    const memberId = conflict ? null : ((own ?? owner)?.id ?? null);
    return { memberId, conflict, isToLink: memberId !== null && own === null };
  });
}

/** Nothing may be stored about a member whose processing is restricted or that is being erased. */
const isProcessingForbidden = ({ isRestricted, status }: Known): boolean =>
  isRestricted || status === 'DEACTIVATION_PENDING';

type Known = Awaited<ReturnType<typeof memberRefs>>[number];

interface Found {
  /** The member with the external id. */
  readonly own: Known | null;
  /** The member with the address. */
  readonly owner: Known | null;
  /** The member whose own id equals the external id. */
  readonly named: Known | null;
}

function conflictOf({ own, owner, named }: Found, hasEmail: boolean): MemberConflict | null {
  if (named && named.id !== (own ?? owner)?.id) return 'ID_OF_MEMBER';
  if ([own, owner].some((member) => member && isProcessingForbidden(member))) return 'MEMBER_RESTRICTED';
  if (owner && own?.id !== owner.id && (own || owner.externalId !== null)) return 'EMAIL_CONFLICT';
  return own && hasEmail && !owner ? 'ID_CONFLICT' : null;
}

/**
 * Makes sure that every person of the list is a member, and returns the members. A person who is known by
 * external id, or by the e-mail address of a member without an external id, is that member; the status does
 * not change, so nobody is subscribed again. Others are enrolled with IMPORT as their source and the tier
 * that needs no points. Single members publish no events. A repeated call with the same list changes nothing
 * and returns the same members.
 *
 * @param people - each external id and each address occurs at most once
 * @returns matches in the same order; those with a conflict are not changed, the others have an id
 * @remarks Source: requirement M-IMP-15; model API, section 2 "Capability", rule 3
 */
export async function ensureMembers(ctx: Context, people: readonly ImportedMemberInput[]): Promise<Match[]> {
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  const names = people.map(({ externalId, email }) => ({
    externalId,
    emailIndexes: email == null ? [] : keys.indexes(email, EMAIL_INDEX),
  }));
  return ctx.transaction(async (tx) => {
    const hasOptedOut = await askOptOuts(
      tx,
      names.flatMap(({ emailIndexes }) => emailIndexes),
    );
    const before = await matchMembers(tx, names);
    const [links, fresh] = [[] as { id: string; externalId: string }[], [] as NewImported[]];
    for await (const [at, { memberId, conflict, isToLink }] of inTurns(before.entries())) {
      const person = people[at]!;
      if (isToLink) links.push({ id: memberId!, externalId: person.externalId });
      if (memberId !== null || conflict !== null) continue;
      fresh.push(newMember(tx, keys, person, names[at]!.emailIndexes, hasOptedOut));
    }
    await linkMembers(tx, links);
    await enrol(tx, fresh, hasOptedOut);
    // Read again, because another call may have enrolled one of them meanwhile.
    const after = links.length + fresh.length > 0 ? await matchMembers(tx, names) : before;
    return after.map((found) =>
      found.memberId === null && !found.conflict ? { ...found, conflict: 'ID_CONFLICT' } : found,
    );
  });
}

/** A person who is unsubscribed in the file is unsubscribed as a member. */
function newMember(
  tx: Context,
  keys: WorkspaceKeyring,
  { externalId, email, createdAt, status }: ImportedMemberInput,
  emailIndexes: readonly string[],
  hasOptedOut: HasOptedOut,
): NewImported {
  const id = newId(tx.clock);
  const { key, keySealed } = createMemberKey(keys, id);
  const isUnsubscribed = status === 'UNSUBSCRIBED' || hasOptedOut(emailIndexes);
  return {
    ...{ id, externalId, createdAt, keySealed, isUnsubscribed },
    status: isUnsubscribed && status === 'ACTIVE' ? 'UNSUBSCRIBED' : status,
    emailIndex: emailIndexes[0] ?? null,
    emailSealed: sealPersonal(key, 'email', email ?? null),
  };
}

async function enrol(tx: Context, fresh: readonly NewImported[], hasOptedOut: HasOptedOut): Promise<void> {
  const enrolled = await insertImported(tx, fresh);
  const unsubscribed = fresh.flatMap(({ id: memberId, emailIndex, isUnsubscribed }) =>
    isUnsubscribed && emailIndex && enrolled.has(memberId) ? { memberId, emailIndex } : [],
  );
  await keepOptOuts(tx, unsubscribed, hasOptedOut);
}
