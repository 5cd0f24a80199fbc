import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, page, pageRequest } from '@loyalty/platform/database/pages';
import {
  runCountByMember,
  runCountByPlace,
  runsOfJourney,
  runsOfMember,
  type ShownJourneyRun,
} from './journey-runs.store.ts';

const MEMBER_PAGE_SIZE = 10;

/**
 * Lists the runs of a member, newest first. Batched by member.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listMemberRuns(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<ShownJourneyRun>> {
  const request = pageRequest(args, MEMBER_PAGE_SIZE);
  const rows = await runsOfMember(ctx.forLists(), memberId, request);
  return page(request, rows, async () => (await ctx.forLists().load(runCountByMember, memberId)) ?? 0);
}

/**
 * Lists the current runs of a journey, or at one of its nodes. Batched by journey.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 */
export async function listCurrentRuns(
  ctx: Context,
  journeyId: string,
  { nodeId, ...args }: PageArgs & { readonly nodeId?: string | null | undefined },
): Promise<Page<ShownJourneyRun>> {
  const request = pageRequest(args);
  const place = { journeyId, nodeId: nodeId ?? null };
  const rows = await runsOfJourney(ctx.forLists(), place, request);
  return page(
    request,
    rows,
    async () => (await ctx.forLists().load(runCountByPlace, JSON.stringify(place))) ?? 0,
  );
}
