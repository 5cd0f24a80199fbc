import type { Context } from '@loyalty/platform/context';
import type { MemberRanges, Query_AnalysableMembersArgs } from '#generated/schema';
import { findAnalysable, findRanges, type WantedRanges } from './member-scan.store.ts';

/** Divides the members after an id who may be analysed into ranges, in the order of their ids. */
export const listRanges = (ctx: Context, wanted: WantedRanges): Promise<MemberRanges> =>
  findRanges(ctx, wanted);

/** Members of a range who may be analysed, in their order; of `ids` only, unless there are none. */
export const listAnalysable = (ctx: Context, wanted: Query_AnalysableMembersArgs): Promise<string[]> =>
  findAnalysable(ctx, wanted);
