import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/live/snapshots/publish-progress';
import { questions } from '../../peers.ts';
import { BULK_JOB_NOUN, finishJob, writingJob } from '../jobs/job-stops.service.ts';
import type { ClaimedChunk } from './chunk.ts';
import type { ChunkOutcome } from './chunk-outcome.ts';
import { splitChunk, writeChunk } from './chunks.store.ts';

/** Members of a chunk that may be analysed at this moment, in the order of their ids. */
export async function membersOf(
  ctx: Context,
  { afterId, toId, onlyIds: ids, sourceCutoff: createdBy }: ClaimedChunk,
): Promise<readonly string[]> {
  const wanted = { afterId, toId, ids, createdBy };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', questions.AnalysableMembers, wanted);
  return answer._analysableMembers;
}

/**
 * Writes what a turn of a chunk leads to, in one transaction. Members who may no longer be analysed are left
 * out. Where the job was stopped or the claim was lost, nothing is written.
 *
 * @param outcomeFor - gets the members that may be written about
 * @param settle - books the credits in the same transaction; not needed where none are charged
 */
export async function keepChunk(
  ctx: Context,
  chunk: ClaimedChunk,
  outcomeFor: (allowed: readonly string[]) => ChunkOutcome,
  settle?: (tx: Context, credits: number) => Promise<unknown>,
): Promise<void> {
  const isKept = await writingJob(ctx, async (tx) => {
    const outcome = outcomeFor(await membersOf(tx, chunk));
    if (chunk.isPart) await splitChunk(tx, chunk, chunk.toId);
    if (!(await writeChunk(tx, chunk, outcome))) return false;
    if (settle && outcome.credits > 0) await settle(tx, outcome.credits);
    publishProgress(tx, BULK_JOB_NOUN, chunk.jobId);
    return true;
  });
  if (isKept) await finishJob(ctx, chunk.jobId);
}
