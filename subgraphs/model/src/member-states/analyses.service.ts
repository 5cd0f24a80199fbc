import { batches } from '@loyalty/platform/base/batches';
import { notFound } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { batched } from '@loyalty/platform/database/batched';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { publishAll } from '@loyalty/platform/work/events';
import { refusedConsumers } from '../members/members.service.ts';
import {
  type Analysis,
  analysesPage,
  analysisExists,
  insertAnalyses,
  type NewAnalysis,
} from './analyses.store.ts';
import { memberSignalsChanged } from './member-states.events.ts';

/** Batched: the answers of concurrent calls are written by one statement. */
const insertBatch = batched(async (ctx, answers: readonly (readonly NewAnalysis[])[]) => {
  const analyses = answers.flat();
  const memberIds = [...new Set(analyses.flatMap(({ memberId, stateRow }) => (stateRow ? [memberId] : [])))];
  if (memberIds.length === 0) await insertAnalyses(ctx, analyses);
  else
    await ctx.transaction(async (tx) => {
      await insertAnalyses(tx, analyses);
      await publishAll(
        tx,
        memberSignalsChanged,
        [...batches(memberIds, MEMBERS_MAX)].map((ids) => ({ memberIds: ids })),
      );
    });
  return answers.map(() => null);
});

/** Members per event. */
const MEMBERS_MAX = 1_000;

/**
 * Saves answered analyses. The states among them become the latest of their members, unless a state with a
 * newer cutoff exists. All are saved or none. Concurrent answers of one workspace are written by one
 * statement.
 *
 * @remarks Source: model API, section 4 "Capabilities", rule 6, and section 2 "Member state", rule 6
 */
export async function saveAnalyses(ctx: Context, analyses: readonly NewAnalysis[]): Promise<void> {
  if (analyses.length > 0) await insertBatch(ctx, analyses);
}

const PAGE_SIZE = 10;

/**
 * Returns the saved analyses of a member, newest first; null for unknown members and for those whose
 * processing is restricted.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds, PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 2 "Credits", rule 7, and "Member state", rule 4; M-CRD-14
 */
export async function listAnalyses(
  ctx: Context,
  memberId: string,
  args: PageArgs,
): Promise<Page<Analysis> | null> {
  const request = pageRequest(args, PAGE_SIZE);
  const refused = await refusedConsumers(ctx, [memberId]);
  return refused.size > 0 ? null : analysesPage(ctx, memberId, request);
}

/**
 * Makes sure that the analysis exists and is of this member.
 *
 * @throws AppError ANALYSIS_NOT_FOUND (404)
 */
export async function requireAnalysis(ctx: Context, id: string, memberId: string): Promise<void> {
  if (!(await analysisExists(ctx, id, memberId))) throw notFound('analysis', id);
}
