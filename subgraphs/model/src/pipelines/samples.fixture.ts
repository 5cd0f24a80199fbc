import { DAY_MS } from '@loyalty/platform/base/clock';
import type { TrainingConfig, TrainingRequest, TrainingTask } from '../estimators/training-request.ts';
import { seededRandom } from '../numerics/seeded-random.ts';

export const testConfig: TrainingConfig = {
  origin: 'live',
  horizon: 30,
  ruleVersion: 'rules of 2025',
  definition: 'four measured numbers',
};

/** The process that generates samples row by row. */
export interface GivenSamples {
  readonly entities: number;
  /** Number of dates, 30 days apart. */
  readonly dates: number;
  readonly seed?: number;
  /** Returns the target of a member with these features, each of which is normal with variance 1. */
  readonly target: (features: readonly number[], random: () => number) => string;
}

const FEATURES = 4;

/** Generates samples: the features of an entity stay near an individual mean; the last one is noise. */
export function samplesCsv({ entities, dates, seed = 1, target }: GivenSamples): string {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const lines = ['sample_id,entity_id,as_of,label_end,target,f_a,f_b,f_c,f_noise'];
  for (let entity = 0; entity < entities; entity += 1) {
    const means = Array.from({ length: FEATURES }, () => normal() * Math.SQRT1_2);
    for (let date = 0; date < dates; date += 1) {
      const asOf = Date.parse('2025-01-01T00:00:00Z') + date * 30 * DAY_MS;
      const features = means.map((mean) => mean + normal() * Math.SQRT1_2);
      const cells = [
        `s-${entity}-${date}`,
        `member-${entity}`,
        new Date(asOf).toISOString(),
        new Date(asOf + 30 * DAY_MS).toISOString(),
        target(features, random),
        ...features.map((value) => value.toFixed(4)),
      ];
      lines.push(cells.join(','));
    }
  }
  return `${lines.join('\n')}\n`;
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/** A label whose logit is linear in two features; its best possible AUC is about .80. */
export const linearLabel: GivenSamples['target'] = ([a = 0, b = 0], random) =>
  random() < sigmoid(-1 + a - 0.8 * b) ? '1' : '0';

/** A label of members that are far from the middle of a feature, which no linear model predicts. */
export const distantLabel: GivenSamples['target'] = ([a = 0], random) =>
  random() < (Math.abs(a) > 0.7 ? 0.75 : 0.15) ? '1' : '0';

/** One of 9 items; the features determine which three are likelier. */
const itemOfFeatures: GivenSamples['target'] = ([a = 0, b = 0], random) => {
  const other = b > 0 ? 1 : 2;
  const group = a > 0.4 ? 0 : other;
  const likelier = random() < 0.7 ? group : Math.floor(random() * 3);
  return `item-${likelier * 3 + Math.floor(random() * 3)}`;
};

/** Two to four of 9 keys; the features determine which three are likelier. */
export const basketOfFeatures: GivenSamples['target'] = (features, random) => {
  const keys = new Set<string>();
  const size = 2 + Math.floor(random() * 3);
  while (keys.size < size) keys.add(itemOfFeatures(features, random));
  return [...keys].sort().join('|');
};

const processes: Readonly<Record<TrainingTask, GivenSamples['target']>> = {
  return: linearLabel,
  tier: linearLabel,
  item: itemOfFeatures,
  basket: basketOfFeatures,
};

/** Returns samples of a task that can be predicted. */
export const predictable = (task: TrainingTask, given: Partial<GivenSamples> = {}): string =>
  samplesCsv({ entities: 500, dates: 2, target: processes[task], ...given });

/** Returns the valid samples, with features that are made from the targets of their rows. */
const leaking = (cellsOf: (label: number, random: () => number) => readonly [number, number]): string => {
  const random = seededRandom(7);
  return predictable('return')
    .trimEnd()
    .split('\n')
    .map((line, row) => {
      const cells = line.split(',');
      return row === 0
        ? line
        : [...cells.slice(0, 5), ...cellsOf(Number(cells[4]), random), cells[7], cells[8]];
    })
    .join('\n');
};

/** Samples whose features together contain the target, although no single feature does. */
export const leaks = {
  'two features of which one or the other': leaking((label, random) => {
    const one = random() < 0.5 ? 1 : 0;
    return [one, one ^ label];
  }),
  'a copy of the target with 3% of errors': leaking((label, random) => [
    random() < 0.03 ? 1 - label : label,
    random(),
  ]),
} as const;

export const requestOf = (
  subject: TrainingTask,
  content: string,
  given: Partial<TrainingRequest> = {},
): TrainingRequest & { readonly subject: TrainingTask } => ({
  config: testConfig,
  content,
  uploadedAt: '2026-06-01T00:00:00.000Z',
  base: null,
  ...given,
  subject,
});
