import type { Cutoff, StatisticsBlock } from '../../scoring/standard-model/statistics-block.ts';
import { NO_FIGURES } from '../../scoring/standard-model/workspace-figures.ts';
import { score } from '../../scoring/standard-scores/score.ts';
import { type StandardVersion, standardModels } from '../../scoring/standard-versions/standard-versions.ts';

/**
 * The version of the standard model whose signals heads are fitted over, and read when they are applied. It
 * stays the same whichever version answers analyses: another one would change what fitted heads say.
 */
const BACKBONE_VERSION: StandardVersion = 'std-1';

/** Version and parameters that heads are fitted over. */
export const backboneModel = {
  version: BACKBONE_VERSION,
  parametersSha256: standardModels[BACKBONE_VERSION].parametersSha256,
} as const;

/** Chances of a purchase within the horizon, in days, by the backbone; NaN where there is none. */
export const backboneChances = (members: StatisticsBlock, cutoff: Cutoff, horizon: number): Float64Array =>
  score(members, cutoff, {
    version: BACKBONE_VERSION,
    purchaseDays: horizon,
    pool: { adds: 0, removes: 0 },
    figures: NO_FIGURES,
  }).purchase;
