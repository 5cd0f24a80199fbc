import { horizonsOf } from '../standard-model/horizons.ts';
import { emptyScores, type ScoreBlock, type ScoreOptions } from '../standard-model/score-block.ts';
import type { Cutoff, StatisticsBlock } from '../standard-model/statistics-block.ts';
import { standardModels } from '../standard-versions/standard-versions.ts';
import { scoreBrowsers } from './browser-signals.ts';
import { markLowSkill, markSeasons } from './pattern-reasons.ts';
import { scoreRhythms } from './rhythm-signals.ts';
import { scoreBrowsing, scoreCarts, scorePurchases } from './standard-signals.ts';

/**
 * A version of the standard model: scores of members at a cutoff, from their statistics alone and, since
 * std-2, figures that their workspace counts every night. Equal input gives equal scores on every machine and
 * at every time; no data of another workspace is used.
 *
 * @param members - folded up to the cutoff; what happened later counts as if it happened at the cutoff
 * @returns chances from 0 to 1, not rounded; NaN where there is no score
 * @remarks Source: model API, section 2 "Member state"; MBG/NBD of Batislam, Denizel and Filiztekin 2007
 */
export function score(members: StatisticsBlock, cutoff: Cutoff, options: ScoreOptions): ScoreBlock {
  const scores = emptyScores(members.size);
  const horizons = horizonsOf(options);
  const { figures, pool } = options;
  const { parameters } = standardModels[options.version];
  scorePurchases(members, cutoff, horizons, { parameters, scores });
  if (parameters.version === 'std-1') {
    scoreBrowsing(members, cutoff, horizons, { parameters, scores });
  } else {
    scoreRhythms(members, cutoff, horizons, { parameters, figures, scores });
    scoreBrowsers(members, cutoff, horizons, { parameters, figures, scores });
    markSeasons(members, parameters, scores);
    if (figures.hasLowSkill) markLowSkill(scores);
  }
  scoreCarts(members, cutoff, pool, { parameters, scores });
  return scores;
}
