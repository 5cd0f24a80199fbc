import { batches } from '@loyalty/platform/base/batches';
import type { Context } from '@loyalty/platform/context';
import { alignedScores } from '../alignment/aligned-scores.service.ts';
import type { TrainedArtifact } from '../estimators/training-request.ts';
import { refusedConsumers } from '../members/members.service.ts';
import { isReadableAlignment } from '../pipelines/alignment-artifact.ts';
import { binaryScores } from '../pipelines/model-inference.ts';
import { loadArtifact } from '../versions/reports.service.ts';
import { trainingConfig } from '../versions/upload.ts';
import { samplesOf } from '../versions/versions.service.ts';
import type { VersionDifference } from './differences.service.ts';
import { sampledMembers } from './reviews.store.ts';

/** Changes of rank of members, or samples, when one version replaces another. */
export interface DecileMoves {
  /** Members, or samples, that both versions score. */
  readonly compared: number;
  /** Those whose decile changes. */
  readonly moved: number;
  /** Those whose decile changes by two or more. */
  readonly movedFar: number;
  /** Counts by decile in the published version, then by decile in this one; the lowest scores first. */
  readonly matrix: number[][];
}

const DECILES = 10;

/** @param published - scores of the same members, in the same order */
function decileMoves(scores: Float64Array, published: Float64Array): DecileMoves {
  const [now, before] = [decilesOf(scores), decilesOf(published)];
  const matrix = Array.from({ length: DECILES }, () => new Array<number>(DECILES).fill(0));
  let [moved, movedFar] = [0, 0];
  for (const [row, decile] of now.entries()) {
    const step = Math.abs(decile - before[row]!);
    matrix[before[row]!]![decile]! += 1;
    if (step >= 1) moved += 1;
    if (step >= 2) movedFar += 1;
  }
  return { compared: now.length, moved, movedFar, matrix };
}

/** Returns deciles from 0; equal scores share the decile of the first of them. */
function decilesOf(scores: Float64Array): Uint8Array {
  const ascending = Float64Array.from(scores).sort();
  const places = new Map<number, number>();
  for (const [place, score] of ascending.entries()) if (!places.has(score)) places.set(score, place);
  return Uint8Array.from(scores, (score) => Math.floor((DECILES * places.get(score)!) / scores.length));
}

const BLOCK = 500;

/**
 * Returns the changes of rank between both versions: for alignments of up to 5,000 members of the workspace,
 * for returns and tiers of the samples of the new version. Null if there is no single score to rank by, if
 * the features differ, or if samples or artifacts cannot be read.
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

/** Returns members with a current score by both alignments. */
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

/** Scores the samples of the new version by both. */
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
