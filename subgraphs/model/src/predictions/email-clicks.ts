import {
  type FeatureRows,
  fitLogistic,
  type LogisticModel,
  logLoss,
  predictLogistic,
} from '../numerics/logistic.ts';
import { hashOf, seededRandom } from '../numerics/seeded-random.ts';
import { type EmailRates, FEATURES, writeFeatures } from './email-history.ts';

/** Mails whose 7 days are over, one row each. */
export interface EmailSamples {
  /** The member of each mail. */
  readonly memberIds: readonly string[];
  /** The values of `FEATURES`, one row for each mail. */
  readonly raw: readonly number[];
  /** 1 if the mail was opened or clicked in time. */
  readonly opened: readonly number[];
  readonly clicked: readonly number[];
}

export type EmailClickGap = 'TOO_FEW_SENDS' | 'NO_BETTER_THAN_BASE_RATE';

/** The workspace's click model, or the reason why it has none. */
export type EmailClickFit =
  | { readonly gap: EmailClickGap }
  | {
      readonly gap: null;
      readonly model: LogisticModel;
      readonly rates: EmailRates;
      readonly sends: number;
      readonly members: number;
      /** Reduction of the log-loss for a mail to an unseen member, and its lower bound. */
      readonly gain: number;
      readonly gainAtLeast: number;
    };

const LAMBDA = 3;
const SENDS_MIN = 1_000;
const OF_EACH_LABEL_MIN = 100;
const MEMBERS_MIN = 300;
const FOLDS = 5;
const RESAMPLES = 500;
/** One-sided; both bounds together cover 90%. */
const LOWER_BOUND = 0.05;
const SEED = 20_260_101;

/**
 * Fits the click model. The fit is used only if it predicts mails to unseen members better than the base
 * rate, with 95% confidence.
 *
 * @remarks Source: requirement L-PRO-04
 */
export function fitEmailClicks(samples: EmailSamples): EmailClickFit {
  const { memberIds } = samples;
  const clicks = sumOf(samples.clicked);
  const members = new Set(memberIds).size;
  const isEnough =
    memberIds.length >= SENDS_MIN &&
    Math.min(clicks, memberIds.length - clicks) >= OF_EACH_LABEL_MIN &&
    members >= MEMBERS_MIN;
  if (!isEnough) return { gap: 'TOO_FEW_SENDS' };
  const rates = { open: sumOf(samples.opened) / memberIds.length, click: clicks / memberIds.length };
  const features = featuresOf(samples, rates);
  const labels = Uint8Array.from(samples.clicked);
  const { gain, gainAtLeast } = gainOutOfFold(features, labels, memberIds);
  if (!(gainAtLeast > 0)) return { gap: 'NO_BETTER_THAN_BASE_RATE' };
  const model = fitLogistic(features, labels, LAMBDA);
  return { gap: null, model, rates, sends: memberIds.length, members, gain, gainAtLeast };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function featuresOf({ raw, memberIds }: EmailSamples, rates: EmailRates): FeatureRows {
  const [count, width] = [memberIds.length, FEATURES.length];
  const values = new Float64Array(count * width);
  for (let row = 0; row < count; row += 1) {
    const own = raw.slice(row * FEATURES.length, (row + 1) * FEATURES.length);
    writeFeatures(own, rates, values, row * width);
  }
  return { count, width, values };
}

/**
 * Cross-validated gain: for each fifth of the members, a fit to the other four fifths against their base
 * rate.
 */
function gainOutOfFold(features: FeatureRows, labels: Uint8Array, memberIds: readonly string[]) {
  const foldOf = new Map(memberIds.map((id) => [id, hashOf(id) % FOLDS]));
  const folds = memberIds.map((id) => foldOf.get(id)!);
  const byMember = new Map<string, { gain: number; sends: number }>();
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const inside = rowsWhere(features, labels, (row) => folds[row] !== fold);
    const model = fitLogistic(inside.features, inside.labels, LAMBDA);
    const base = inside.labels.reduce((sum, label) => sum + label, 0) / inside.labels.length;
    folds.forEach((own, row) => {
      if (own !== fold) return;
      const chance = predictLogistic(model, features.values.subarray(row * features.width));
      const member = byMember.get(memberIds[row]!) ?? { gain: 0, sends: 0 };
      member.gain += logLoss(base, labels[row]!) - logLoss(chance, labels[row]!);
      member.sends += 1;
      byMember.set(memberIds[row]!, member);
    });
  }
  return boundOf([...byMember.values()]);
}

function rowsWhere(
  { width, values }: FeatureRows,
  labels: Uint8Array,
  isIn: (row: number) => boolean,
): { features: FeatureRows; labels: Uint8Array } {
  const rows = Array.from(labels.keys()).filter(isIn);
  const chosen = new Float64Array(rows.length * width);
  rows.forEach((row, place) => {
    chosen.set(values.subarray(row * width, (row + 1) * width), place * width);
  });
  return {
    features: { count: rows.length, width, values: chosen },
    labels: Uint8Array.from(rows, (row) => labels[row]!),
  };
}

/** Mean gain of a mail, and its lower bound from a bootstrap of members, each with all its mails. */
function boundOf(members: readonly { readonly gain: number; readonly sends: number }[]) {
  const random = seededRandom(SEED);
  const meanOf = (place: (n: number) => number): number => {
    let [gain, sends] = [0, 0];
    for (let n = 0; n < members.length; n += 1) {
      const member = members[place(n)]!;
      gain += member.gain;
      sends += member.sends;
    }
    return gain / sends;
  };
  const drawn = () => Math.floor(random() * members.length);
  const means = Array.from({ length: RESAMPLES }, () => meanOf(drawn)).sort((a, b) => a - b);
  return { gain: meanOf((n) => n), gainAtLeast: means[Math.floor(LOWER_BOUND * RESAMPLES)]! };
}
