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

/** What this subgraph asks of others. */
export const questions = questionsIn<Questions>(import.meta.dirname);

/**
 * Members that have one of the ids, address indexes (of the context EMAIL_INDEX) or external ids; unknown and
 * erased ones are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMembers(
  ctx: Context,
  wanted: MemberRefsQueryVariables,
): Promise<readonly MemberRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.MemberRefs, wanted))._memberRefs;
}

/** One member by id; null when the workspace has none. @throws AppError PEER_UNAVAILABLE (503) */
export async function findMember(ctx: Context, id: string): Promise<MemberRefFragment | null> {
  const [member] = await findMembers(ctx, { ids: [id] });
  return member ?? null;
}

/** Stores by id, without those that the workspace lacks. @throws AppError PEER_UNAVAILABLE (503) */
export async function findStoreRefs(
  ctx: Context,
  ids: readonly string[],
): Promise<readonly StoreRefFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'commerce', questions.StoreRefs, { ids }))._storeRefs;
}

/** What conditions of segments may name. @throws AppError PEER_UNAVAILABLE (503) */
export async function findConditionCatalog(ctx: Context): Promise<ConditionCatalogFragment> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.ConditionCatalog, {}))._conditionCatalog;
}

/** Keys of all custom fields of the workspace. @throws AppError PEER_UNAVAILABLE (503) */
export async function findCustomFieldKeys(ctx: Context): Promise<readonly string[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.CustomFieldKeys, {}))._customFieldKeys;
}

/**
 * Records by id, deleted ones too, and those that name one of the members; at most 1,000 of each.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findRecordProfiles(
  ctx: Context,
  wanted: RecordProfilesQueryVariables,
): Promise<readonly RecordProfileFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'loyalty', questions.RecordProfiles, wanted))._recordProfiles;
}
