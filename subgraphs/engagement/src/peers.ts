import { questionsIn } from '@loyalty/platform/base/questions';
import type { Context } from '@loyalty/platform/context';
import type {
  ConditionCatalogFragment,
  MemberRefFragment,
  MemberRefsQueryVariables,
  Questions,
  RecordProfileFragment,
  RecordProfilesQueryVariables,
  StoreRefFragment,
} from '#generated/peers';

/** The queries that this subgraph sends to other subgraphs. */
export const questions = questionsIn<Questions>(import.meta.dirname);

/**
 * Returns the members with one of the ids, blind indexes of addresses (context EMAIL_INDEX) or external ids.
 * Unknown and erased members are omitted.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<readonly MemberRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted))._memberRefs;
}

/**
 * Returns a member by id, or null if the workspace has no such member. @throws AppError PEER_UNAVAILABLE
 * (503)
 */
export async function findMember(ctx: Context, id: string): Promise<MemberRefFragment | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}

/** Returns stores by id. Unknown ids are omitted. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStoreRefs(
  ctx: Context,
  ids: readonly string[],
): Promise<readonly StoreRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'commerce', questions.StoreRefs, { ids }))._storeRefs;
}

/**
 * Returns the tiers, fields and other things that conditions of segments can refer to. @throws AppError
 * PEER_UNAVAILABLE (503)
 */
export async function findConditionCatalog(ctx: Context): Promise<ConditionCatalogFragment> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.ConditionCatalog, {}))._conditionCatalog;
}

/** Returns the keys of all custom fields of the workspace. @throws AppError PEER_UNAVAILABLE (503) */
export async function findCustomFieldKeys(ctx: Context): Promise<readonly string[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.CustomFieldKeys, {}))._customFieldKeys;
}

/**
 * Returns records by id, including deleted ones, and the records that refer to one of the members; at most
 * 1,000 of each.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findRecordProfiles(
  ctx: Context,
  wanted: RecordProfilesQueryVariables,
): Promise<readonly RecordProfileFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.RecordProfiles, wanted))._recordProfiles;
}
