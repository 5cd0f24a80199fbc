import type { Context } from '@loyalty/platform/context';
import type { MemberRanges, MemberRef, Query_AnalysableMembersArgs } from '#generated/schema';
import { findAnalysable, findRanges, findRefs, type WantedRanges } from './member-refs.store.ts';

type Names = readonly string[] | null | undefined;

/**
 * Members that have one of the ids, address indexes or external ids; those that are not found are left out.
 */
export const memberRefs = (
  ctx: Context,
  wanted: { readonly ids?: Names; readonly emailIndexes?: Names; readonly externalIds?: Names },
): Promise<MemberRef[]> =>
  findRefs(ctx, {
    ids: wanted.ids ?? [],
    emailIndexes: wanted.emailIndexes ?? [],
    externalIds: wanted.externalIds ?? [],
  });

/** Divides the members after an id who may be analysed into ranges, in the order of their ids. */
export const listRanges = (ctx: Context, wanted: WantedRanges): Promise<MemberRanges> =>
  findRanges(ctx, wanted);

/** Members of a range who may be analysed, in their order; of `ids` only, unless there are none. */
export const listAnalysable = (ctx: Context, wanted: Query_AnalysableMembersArgs): Promise<string[]> =>
  findAnalysable(ctx, wanted);
