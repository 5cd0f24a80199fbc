import { forbidden, invalid, refusedField } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import {
  type Page,
  type PageArgs,
  type PageRequest,
  page,
  pageRequest,
} from '@loyalty/platform/database/pages';
import { scopesSuffice } from '@loyalty/platform/identity/refusal';
import type { Member } from '../members/members.service.ts';
import { onPage } from '../members/personal-fields.ts';
import { findTagId } from '../members/tags.service.ts';
import { type MemberConditions, memberFilter } from './member-filter.ts';
import { type MemberSort, membersPage } from './member-list.store.ts';
import { segmentPage } from './segment-page.service.ts';

/**
 * Returns members, by default the newest first; erased members only with the status DELETED. Personal fields
 * are masked for callers other than staff.
 *
 * @param args.masked - masks for staff, too
 * @param args.segmentId - only members of this segment
 * @throws AppError VALIDATION_FAILED for paging out of bounds and wrong conditions, SCOPE_MISSING (403) for a
 *   segment without segments:read, SEGMENT_NOT_FOUND (404), PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", GET /members
 */
export async function listMembers(
  ctx: Context,
  args: PageArgs & ListedMembers & { readonly masked?: boolean | null | undefined },
): Promise<Page<Member>> {
  const request = pageRequest(args);
  const found = await (await openMemberList(ctx, args))(ctx, request);
  return args.masked ? found : { ...found, rows: onPage(found.rows) };
}

/** The filter and the order of a list of members. */
interface ListedMembers extends MemberConditions {
  readonly segmentId?: string | null | undefined;
  readonly sort?: MemberSort | null | undefined;
}

/**
 * Checks the conditions of a list of members once, for any number of its pages; personal fields are masked.
 *
 * @throws AppError like `listMembers`
 */
export async function openMemberList(
  ctx: Context,
  wanted: ListedMembers,
): Promise<(of: Context, request: PageRequest) => Promise<Page<Member>>> {
  const { segmentId } = wanted;
  const sort = wanted.sort ?? 'CREATED_DESC';
  if (segmentId && sort !== 'CREATED_DESC') throw invalid('sort', 'must be left out with segmentId');
  if (segmentId && !scopesSuffice(ctx.caller, [['segments:read']])) throw segmentRefused();
  const tagId = wanted.tag ? await findTagId(ctx, wanted.tag) : null;
  if (wanted.tag && !tagId) return async (_, request) => page(request, [], async () => 0);
  const filter = await memberFilter(ctx, wanted, tagId);
  return (of, request) =>
    segmentId ? segmentPage(of, { segmentId, filter }, request) : membersPage(of, request, { filter, sort });
}

/** Membership of a segment needs the same scope here as in `Member.segments`. */
const segmentRefused = () =>
  refusedField(forbidden('SCOPE_MISSING', 'This needs the scope segments:read.'), 'segmentId');
