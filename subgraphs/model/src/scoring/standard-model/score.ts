import { horizonsOf } from './horizons.ts';
import { fingerprint, parameters } from './parameters.ts';
import { emptyScores, type ScoreBlock, type ScoreOptions } from './score-block.ts';
import { scoreBrowsing, scoreCarts, scorePurchases } from './signals.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/** Name, version and the fingerprint of the parameters. */
export const standardModel = {
  name: 'standard',
  version: parameters.version,
  parametersSha256: fingerprint(parameters),
} as const;

/**
 * The standard model: scores of members at a cutoff, from their statistics alone. Equal statistics give equal
 * scores on every machine and at every time; no data of another workspace is used.
 *
 * @param members - folded up to the cutoff; what happened later counts as if it happened at the cutoff
 * @returns chances from 0 to 1, not rounded; NaN where there is no score
 * @remarks Source: model API, section 2 "Member state"; MBG/NBD of Batislam, Denizel and Filiztekin 2007
 */
export function score(members: StatisticsBlock, cutoff: Cutoff, options: ScoreOptions): ScoreBlock {
  const scores = emptyScores(members.size);
  const horizons = horizonsOf(options);
  scorePurchases(members, cutoff, horizons, scores);
  scoreBrowsing(members, cutoff, horizons, scores);
  scoreCarts(members, cutoff, options.pool, scores);
  return scores;
}
