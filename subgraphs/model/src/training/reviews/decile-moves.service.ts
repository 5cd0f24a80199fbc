import type { Context } from '@loyalty/platform/context';
import { batches } from '@loyalty/platform/loading/batches';
import { isReadableAlignment } from '../../alignment/heads/alignment-artifact.ts';
import { alignedScores } from '../../alignment/own-history/aligned-scores.service.ts';
import { refusedConsumers } from '../../members/members.service.ts';
import { binaryScores } from '../learning/model-inference.ts';
import type { TrainedArtifact } from '../measures/training-request.ts';
import { loadArtifact } from '../reports/reports.service.ts';
import { trainingConfig } from '../versions/upload.ts';
import { samplesOf } from '../versions/versions.service.ts';
import { type DecileMoves, decileMoves } from './decile-moves.ts';
import type { VersionDifference } from './differences.service.ts';
import { sampledMembers } from './sampled-members.store.ts';

const BLOCK = 500;

/**
 * How members change places between both versions: of alignments up to 5,000 members of the workspace, of
 * returns and tiers the samples of the new version. Null where there is no one score to order by, where the
 * features differ, or where samples or artifacts cannot be read.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function movesOf(ctx: Context, difference: VersionDifference): Promise<DecileMoves | null> {
  const { report, publishedReport, version } = difference;
  const artifacts = [await loadArtifact(ctx, report), await loadArtifact(ctx, publishedReport)];
  const [own, published] = artifacts;
  if (!own || !published) return null;
  const scores =
    version.kind === 'ALIGNMENT'
      ? await memberScores(ctx, own, published)
      : await sampleScores(ctx, difference, own, published);
  return scores && decileMoves(scores.own, scores.published);
}

interface ScorePairs {
  readonly own: Float64Array;
  readonly published: Float64Array;
}

/** Members whom both alignments score at this moment. */
async function memberScores(
  ctx: Context,
  own: TrainedArtifact,
  published: TrainedArtifact,
): Promise<ScorePairs | null> {
  if (!isReadableAlignment(own) || !isReadableAlignment(published)) return null;
  const ids = await sampledMembers(ctx);
  const refused = await refusedConsumers(ctx, ids);
  const allowed = ids.filter((id) => !refused.has(id));
  const pairs: [number, number][] = [];
  for (const block of batches(allowed, BLOCK)) {
    const [now, before] = await alignedScores(ctx, [own, published], block, ctx.clock.now());
    for (const place of block.keys()) {
      const [score, other] = [now![place]?.score ?? null, before![place]?.score ?? null];
      if (score !== null && other !== null) pairs.push([score, other]);
    }
  }
  return {
    own: Float64Array.from(pairs, ([score]) => score),
    published: Float64Array.from(pairs, ([, score]) => score),
  };
}

/** The samples of the new version, scored by both. */
async function sampleScores(
  ctx: Context,
  { version }: VersionDifference,
  own: TrainedArtifact,
  published: TrainedArtifact,
): Promise<ScorePairs | null> {
  const content = await samplesOf(ctx, version.id);
  if (content === null) return null;
  const config = trainingConfig(version);
  const [now, before] = [own, published].map((artifact) =>
    binaryScores(artifact, config, content, ctx.clock.now()),
  );
  return now && before ? { own: now, published: before } : null;
}
