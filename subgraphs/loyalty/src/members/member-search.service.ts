import { inTurns } from '@loyalty/platform/base/batches';
import { systemCaller } from '@loyalty/platform/base/caller';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { lockMissing, type MemberTerms, namesOf, putTerms, type SealedNames } from './member-search.store.ts';
import type { CheckedInput } from './members.input.ts';
import { endOfChunk, scopesWithMembers } from './members.service.ts';
import { openFor, openMemberKey, personalContexts } from './sealing.ts';
import { termsOf } from './search-terms.ts';

/** Whether the input changes the search terms of the member. */
export const changesNames = ({ fullName, phone }: CheckedInput): boolean =>
  fullName !== undefined || phone !== undefined;

/** Writes the search terms (name and phone) of new members, in the transaction that enrols them. */
export async function indexNewMembers(
  tx: Context,
  members: readonly { readonly id: string; readonly details: CheckedInput }[],
): Promise<void> {
  const named = members.filter(({ details: { fullName, phone } }) => fullName || phone);
  if (named.length === 0) return;
  const { indexKeys } = await tx.services.keyring.of(tx.scope.workspaceId);
  const rows: MemberTerms[] = [];
  for await (const { id, details } of inTurns(named)) {
    const { fullName: name = null, phone = null } = details;
    rows.push({ memberId: id, terms: termsOf(indexKeys[0]!, tx.scope.mode, { name, phone }) });
  }
  await putTerms(tx, rows);
}

/** Updates the search terms of members whose rows the transaction changed. */
export async function indexChangedMembers(tx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await putNames(tx, await namesOf(tx, ids));
}

async function putNames(tx: Context, members: readonly SealedNames[]): Promise<void> {
  const { indexKeys } = await tx.services.keyring.of(tx.scope.workspaceId);
  const rows: MemberTerms[] = [];
  for await (const member of inTurns(members)) {
    const key = (await openMemberKey(tx, member))!;
    const open = (sealed: Uint8Array | null, context: string) => sealed && openFor(key, sealed, context);
    const name = open(member.nameSealed, personalContexts.name);
    const phone = open(member.phoneSealed, personalContexts.phone);
    rows.push({ memberId: member.id, terms: termsOf(indexKeys[0]!, tx.scope.mode, { name, phone }) });
  }
  await putTerms(tx, rows);
}

/**
 * Writes missing search terms (name and phone) of members in all workspaces, whom an earlier version enrolled
 * or renamed. Each chunk is committed, so an interrupted run continues where it stopped.
 *
 * @param chunkSize - members read in one transaction
 * @returns the number of members that were added
 */
export async function indexMissingMembers(ctx: Context, chunkSize = 1_000): Promise<number> {
  let total = 0;
  for (const scope of await scopesWithMembers(ctx))
    total += await indexMissingIn(ctx.as(systemCaller('member-search', scope)), chunkSize);
  return total;
}

async function indexMissingIn(ctx: Context, chunkSize: number): Promise<number> {
  let [total, afterId] = [0, NO_ID];
  for (;;) {
    const toId = await endOfChunk(ctx, afterId, chunkSize);
    if (!toId) return total;
    const range = { afterId, toId };
    total += await ctx.transaction(async (tx) => {
      const members = await lockMissing(tx, range);
      await putNames(tx, members);
      return members.length;
    });
    await refreshStatistics(ctx, ['loyalty.member_search']);
    afterId = toId;
  }
}
