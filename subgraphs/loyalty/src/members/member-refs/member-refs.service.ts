import type { Context } from '@loyalty/platform/context';
import { findRefs, type MemberRef } from './member-refs.store.ts';

type Names = readonly string[] | null | undefined;

/** Members by any of their names, for other subgraphs; whoever is not found is left out. */
export const memberRefs = (
  ctx: Context,
  wanted: { readonly ids?: Names; readonly emailIndexes?: Names; readonly externalIds?: Names },
): Promise<MemberRef[]> =>
  findRefs(ctx, {
    ids: wanted.ids ?? [],
    emailIndexes: wanted.emailIndexes ?? [],
    externalIds: wanted.externalIds ?? [],
  });
