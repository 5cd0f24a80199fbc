import type { Context } from '@loyalty/platform/context';
import type { MemberRef } from '#generated/schema';
import { findRefs } from './member-refs.store.ts';

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
