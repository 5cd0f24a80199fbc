import type { Numbers, WeightedFigure } from './metrics.ts';
import { seededRandom } from './seeded-random.ts';

/** A figure of a sample and its values in bootstrap resamples. */
export interface BootstrappedFigure {
  /** The figure of the sample itself. */
  readonly value: number;
  /** The figure in each resample in which it is defined, ascending. */
  readonly resamples: Float64Array;
}

/** Draws entities with replacement; each draw gives a weight for every row. */
export type EntityBootstrap = (figure: WeightedFigure) => BootstrappedFigure;

const RESAMPLES = 200;

/**
 * Bootstraps entities: draws as many as there are, with replacement, 200 times, each with all its rows, so
 * that rows of one entity do not count as independent. The same entities and seed give the same draws.
 *
 * @param entities - the entity of each row
 */
export function entityBootstrap(
  entities: readonly string[],
  seed: number,
  resamples = RESAMPLES,
): EntityBootstrap {
  const numbers = new Map<string, number>();
  const entityOf = Uint32Array.from(entities, (entity) => {
    const known = numbers.get(entity) ?? numbers.size;
    numbers.set(entity, known);
    return known;
  });
  return (figure) => {
    const random = seededRandom(seed);
    const [draws, weights] = [new Float64Array(numbers.size), new Float64Array(entities.length)];
    const figures = Array.from({ length: resamples }, () => {
      draws.fill(0);
      for (let draw = 0; draw < draws.length; draw += 1) draws[Math.floor(random() * draws.length)]! += 1;
      for (let row = 0; row < weights.length; row += 1) weights[row] = draws[entityOf[row]!]!;
      return figure(weights);
    });
    const defined = figures.filter((each) => !Number.isNaN(each));
    return { value: figure(null), resamples: Float64Array.from(defined).sort() };
  };
}

/**
 * Returns the quantile of the resamples: .025 for the lower bound of 95%. NaN if no resample has the figure.
 */
export const boundOf = ({ resamples }: BootstrappedFigure, quantile: number): number =>
  quantileOf(resamples, quantile);

/** Returns the quantile of ascending numbers, interpolated; NaN of an empty list. */
export function quantileOf(ascending: Numbers, quantile: number): number {
  const place = quantile * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(place)], ascending[Math.ceil(place)]];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
