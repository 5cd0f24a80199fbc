import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/loading/pages';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';
import type { Member, MemberStatus } from '../members/members.service.ts';
import { findTagId } from '../tags/tagging.service.ts';
import { type MemberFilter, membersPage } from './member-list.store.ts';
import { segmentPage } from './segment-page.service.ts';

/**
 * Members, newest first, personal fields masked; erased members only with the status DELETED.
 *
 * @param args.search - a complete e-mail address or external id
 * @param args.segmentId - only those who are in this segment
 * @throws AppError VALIDATION_FAILED for paging out of bounds, SEGMENT_NOT_FOUND (404),
 * PEER_UNAVAILABLE (503)
 * @remarks Source: v2 REST API, section 4 "Members", GET /members
 */
export async function listMembers(
  ctx: Context,
  args: PageArgs & {
    readonly status?: MemberStatus | null | undefined;
    readonly programId?: string | null | undefined;
    readonly tag?: string | null | undefined;
    readonly search?: string | null | undefined;
    readonly segmentId?: string | null | undefined;
  },
): Promise<Page<Member>> {
  const { status = null, programId = null } = args;
  const request = pageRequest(args);
  const tagId = args.tag ? await findTagId(ctx, args.tag) : null;
  if (args.tag && !tagId) return page(request, [], async () => 0);
  const filter = { status, programId, tagId, search: await searchFilter(ctx, args.search?.trim()) };
  const { segmentId } = args;
  return segmentId ? segmentPage(ctx, { segmentId, filter }, request) : membersPage(ctx, request, filter);
}

async function searchFilter(ctx: Context, text: string | undefined): Promise<MemberFilter['search']> {
  if (!text) return null;
  const keys = await ctx.services.keyring.of(ctx.scope.workspaceId);
  return { emailIndexes: keys.indexes(text.toLowerCase(), EMAIL_INDEX), externalId: text };
}
