import { type Html, html } from '@loyalty/platform/base/html';
import { lineChart } from './line-chart.ts';
import type { ModelVersion, VersionSubject } from './model-version.ts';
import {
  contentOf,
  type EvaluationReport,
  evaluationOf,
  numberOf,
  objectOf,
  objectsOf,
  type ReportEvaluation,
} from './report.ts';

/** Intended and excluded uses of a model. */
export interface IntendedUse {
  readonly uses: readonly string[];
  readonly misuses: readonly string[];
}

const NEVER = [
  'Decisions with legal or similarly significant effects on a person.',
  'Statements about causes: a score says what is likely, not what brings it about.',
  'Members of another workspace, or samples that are unlike those it was trained on.',
];

const uses: Readonly<Record<VersionSubject, readonly string[]>> = {
  RETURN: ['Find orders that are likely to be returned, and help their buyers before they order.'],
  ITEM: ['Suggest the item that a member may buy next.'],
  BASKET: ['Suggest items that a member may buy together.'],
  TIER: ['Find members who are likely to reach a higher tier soon.'],
  PURCHASE: ['Say how likely a member buys within the horizon, in place of the standard score.'],
  CHURN: ['Say how likely a member buys nothing within the horizon, in place of the standard score.'],
  ABANDONMENT: ['Say how likely a member leaves a cart without a purchase within the horizon.'],
};

/** The intended use of versions of a subject; our own text, not part of the report. */
const intendedUse = (subject: VersionSubject): IntendedUse => ({
  uses: uses[subject],
  misuses: NEVER,
});

/** Rows with similar scores. */
export interface CardBin {
  readonly count: number;
  /** Mean score. */
  readonly predicted: number;
  /** Share of rows with the outcome. */
  readonly observed: number;
}

/** The facts about a version for people who decide about it: after Mitchell et al., 2019. */
export interface ModelCard extends IntendedUse {
  readonly version: ModelVersion;
  readonly report: EvaluationReport;
  /** Rows, entities, positives, dates and the hash of the samples. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Learner, settings, compared candidates, and version of the code. */
  readonly method: Readonly<Record<string, unknown>>;
  readonly evaluation: ReportEvaluation;
  readonly calibration: readonly CardBin[];
  readonly features: readonly Readonly<Record<string, unknown>>[];
  readonly slices: readonly Readonly<Record<string, unknown>>[];
  readonly leakage: Readonly<Record<string, unknown>>;
  /** Limits of the training data; there is no answer outside of them. */
  readonly outOfDistribution: Readonly<Record<string, unknown>>;
  readonly limitations: readonly string[];
}

/** Builds the card of a version from its report; only the intended use is added. */
export function modelCard(version: ModelVersion, report: EvaluationReport): ModelCard {
  const content = contentOf(report);
  const { calibration, features, slices, limitations } = content;
  return {
    ...intendedUse(version.subject),
    version,
    report,
    data: { ...objectOf(content['samples']), sha256: content['data_sha256'], config: content['config'] },
    method: {
      ...objectOf(content['learner']),
      code_version: content['code_version'],
      node_version: content['node_version'],
      seed: content['seed'],
      standard_model: content['standard_model'] ?? null,
    },
    evaluation: evaluationOf(report),
    calibration: objectsOf(calibration).map(binOf),
    features: objectsOf(features),
    slices: objectsOf(slices),
    leakage: objectOf(content['leakage']),
    outOfDistribution: objectOf(content['out_of_distribution']),
    limitations: Array.isArray(limitations) ? limitations.map(String) : [],
  };
}

const binOf = ({ count, predicted, observed }: Record<string, unknown>): CardBin => ({
  count: numberOf(count) ?? 0,
  predicted: numberOf(predicted) ?? 0,
  observed: numberOf(observed) ?? 0,
});

const Z = 1.96;

/** Renders the agreement of scores with outcomes, with 95% intervals of the shares. */
export function reliabilityDiagram({ version, calibration }: ModelCard): Html {
  const points = calibration.map(({ count, predicted, observed }) => {
    const [low, high] = shareInterval(observed, count);
    return { x: predicted, y: observed, low, high };
  });
  return lineChart({
    title: `Reliability of ${version.name}`,
    description:
      'Mean score and observed share of groups of held-out samples with similar scores. ' +
      'On the diagonal they agree.',
    xLabel: 'Mean score',
    yLabel: 'Observed share',
    series: [{ name: 'Held-out samples', points }],
    hasDiagonal: true,
    xMax: 1,
    yMax: 1,
  });
}

/** Returns the Wilson interval of a share. */
function shareInterval(share: number, count: number): [number, number] {
  if (count === 0) return [0, 1];
  const [square, weight] = [(Z * Z) / count, 1 + (Z * Z) / count];
  const middle = (share + square / 2) / weight;
  const half = (Z * Math.sqrt((share * (1 - share)) / count + square / (4 * count))) / weight;
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Renders the content of an object as a list. */
export const factsOf = (values: Readonly<Record<string, unknown>>): Html =>
  html`<dl>${Object.entries(values).map(
    ([name, value]) => html`<dt>${name.replaceAll('_', ' ')}</dt><dd>${textOf(value)}</dd>\n`,
  )}</dl>`;

/** Formats a value: lists with semicolons, objects as names and values, instants at midnight as dates. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('; ') || 'none';
  if (typeof value === 'object' && value !== null) return namedTexts(value).join(', ') || 'none';
  return String(value ?? 'none').replace(/T00:00:00\.000Z$/, '');
}

const namedTexts = (values: object): string[] =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${textOf(value)}`);
