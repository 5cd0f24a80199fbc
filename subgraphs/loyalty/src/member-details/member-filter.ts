import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { invalid } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { uuid } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { instantsOf } from '@loyalty/platform/database/day-range';
import type { MemberStatus } from '../members/members.service.ts';
import { searchedTerms } from '../members/search-terms.ts';
import type { MemberFilter } from './member-list.store.ts';

/** Conditions of a list of members, as callers send them; an absent one does not count. */
export interface MemberConditions {
  readonly status?: MemberStatus | null | undefined;
  readonly programId?: string | null | undefined;
  /** Key of a tag. */
  readonly tag?: string | null | undefined;
  /** Parts of a name and a phone, or a complete e-mail address, external id or id. */
  readonly search?: string | null | undefined;
  readonly tierId?: string | null | undefined;
  readonly storeId?: string | null | undefined;
  /** Days as YYYY-MM-DD; both ends count. */
  readonly joinedFrom?: string | null | undefined;
  readonly joinedTo?: string | null | undefined;
  readonly activeFrom?: string | null | undefined;
  readonly activeTo?: string | null | undefined;
  readonly pointsMin?: number | null | undefined;
  readonly pointsMax?: number | null | undefined;
}

/**
 * Checks conditions and converts them to a filter.
 *
 * @throws AppError VALIDATION_FAILED (400) naming the field, PEER_UNAVAILABLE (503)
 */
export async function memberFilter(
  ctx: Context,
  wanted: MemberConditions,
  tagId: string | null,
): Promise<MemberFilter> {
  const { status = null, programId = null, tierId, storeId, pointsMin, pointsMax } = wanted;
  if (pointsMin != null && pointsMax != null && pointsMin > pointsMax)
    throw invalid('pointsMin', 'must not be greater than pointsMax');
  return {
    status,
    programId,
    tagId,
    search: await searchFilter(ctx, wanted.search?.trim()),
    tierId: checkId('tierId', tierId),
    storeId: checkId('storeId', storeId),
    joined: await instantsOf(ctx, 'joinedFrom', wanted.joinedFrom, wanted.joinedTo),
    active: await instantsOf(ctx, 'activeFrom', wanted.activeFrom, wanted.activeTo),
    points: { from: pointsMin ?? null, to: pointsMax ?? null },
  };
}

function checkId(field: string, id: string | null | undefined): string | null {
  if (id && !isUuid(id)) throw invalid(field, uuid);
  return id ?? null;
}

async function searchFilter(ctx: Context, text: string | undefined): Promise<MemberFilter['search']> {
  if (!text) return null;
  const { workspaceId, mode } = ctx.scope;
  const keys = await ctx.services.keyring.of(workspaceId);
  return {
    emailIndexes: keys.indexes(text.toLowerCase(), EMAIL_INDEX),
    externalId: text,
    id: isUuid(text) ? text : null,
    // Parts of an address are not names.
    terms: text.includes('@') ? [] : searchedTerms(keys.indexKeys, mode, text),
  };
}
