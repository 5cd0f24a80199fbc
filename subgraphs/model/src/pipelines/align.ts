import { AppError } from '@loyalty/platform/base/errors';
import { sha256Hex } from '../estimators/canonical-json.ts';
import { type Gate, gate } from '../estimators/gates.ts';
import type {
  AlignmentTarget,
  SampleIssue,
  TrainingConfig,
  TrainingOutcome,
  TrainingProgress,
  TrainingRequest,
} from '../estimators/training-request.ts';
import { sumOf } from '../numerics/metrics.ts';
import { alignmentModelOf } from './alignment-artifact.ts';
import { alignmentOutcome } from './alignment-outcome.ts';
import { type AlignmentSamples, readAlignmentSamples } from './alignment-samples.ts';
import { backboneModel, eventSignals, SIGNALS } from './event-signals.ts';
import {
  chooseHead,
  fitHead,
  type HeadCandidate,
  type HeadRows,
  headChances,
  someRows,
} from './head-choice.ts';
import { ABOVE_STANDARD_MAX, type HeadFigures, headFigures } from './head-figures.ts';
import {
  countsOf,
  hasStandardScore,
  labelGates,
  leakageGate,
  SAMPLES_MIN,
  signalFigures,
  standardLimitations,
} from './head-samples.ts';
import { latestSplit, outerFolds } from './head-splits.ts';

const candidates: readonly HeadCandidate[] = [
  { head: 'platt', signals: SIGNALS.slice(0, 1) },
  { head: 'three_signals', signals: SIGNALS.slice(0, 3) },
  { head: 'six_signals', signals: SIGNALS },
];

/** Returns the issues of an upload of an alignment; without issues it may be stored. */
export function checkAlignment(
  config: TrainingConfig,
  content: string,
  now: Date,
): { issues: readonly SampleIssue[]; sampleCount: number } {
  const { issues, sampleCount } = readAlignmentSamples(config, content, now);
  return { issues, sampleCount };
}

/**
 * Fits and evaluates a head over the frozen signals of the standard model. The same content and settings give
 * the same bits, whatever the workspace.
 *
 * @throws AppError TOO_FEW_SAMPLES (400) if the samples cannot be used
 */
export function fitAlignment(
  request: TrainingRequest & { readonly subject: AlignmentTarget },
  onProgress: (progress: TrainingProgress) => void,
): TrainingOutcome {
  const { subject, config, content, uploadedAt } = request;
  onProgress({ step: 'Reading the samples', done: 0 });
  const { samples, issues } = readAlignmentSamples(config, content, new Date(uploadedAt));
  if (!samples) {
    const [{ column, message } = { column: '', message: '' }] = issues;
    throw new AppError(
      'BAD_USER_INPUT',
      'TOO_FEW_SAMPLES',
      `The samples cannot be used: ${column} ${message}.`,
    );
  }
  return alignSamples(request, subject, samples, onProgress);
}

function alignSamples(
  { config, content, uploadedAt }: TrainingRequest,
  subject: AlignmentTarget,
  samples: AlignmentSamples,
  onProgress: (progress: TrainingProgress) => void,
): TrainingOutcome {
  const dataHash = sha256Hex(content);
  const seed = Number.parseInt(dataHash.slice(0, 8), 16);
  onProgress({ step: 'Computing signals', done: 0.05 });
  const rows = headRowsOf(samples, subject, config.horizon);
  onProgress({ step: 'Evaluating heads on members that they have not seen', done: 0.15 });
  const aboveStandardMax = hasStandardScore(subject) ? ABOVE_STANDARD_MAX : null;
  const figures = headFigures(crossFitted(rows, seed), seed, { aboveStandardMax });
  onProgress({ step: 'Evaluating heads on the latest dates', done: 0.7 });
  const latest = latestFigures(rows, samples, { horizon: config.horizon, seed, aboveStandardMax });
  onProgress({ step: 'Fitting the head', done: 0.85 });
  const chosen = chooseHead(rows, candidates, seed);
  const { choice } = chosen;
  const model = alignmentModelOf(
    {
      subject,
      source: 'upload',
      head: choice.head,
      standardModel: backboneModel,
      limitations: limitationsOf(subject, config, latest !== null),
    },
    config,
    fitHead(rows, choice),
    rows,
  );
  const signals = signalFigures(rows);
  const gates = [...sizeGates(rows), ...figures.gates, ...(latest?.gates ?? []), leakageGate(signals)];
  onProgress({ step: 'Writing the report', done: 0.97 });
  return alignmentOutcome({
    model,
    config,
    chosen,
    gates,
    figures,
    signals,
    data: { sha256: dataHash, evaluatedAt: uploadedAt, seed },
    samples: {
      ...countsOf(rows),
      as_of_first: new Date(samples.asOf[0]!).toISOString(),
      as_of_last: new Date(samples.asOf.at(-1)!).toISOString(),
    },
    slices: latest ? [{ by: 'held_out', name: 'latest_dates', ...sliceOf(latest) }] : [],
  });
}

function headRowsOf(samples: AlignmentSamples, subject: AlignmentTarget, horizon: number): HeadRows {
  const sequences = samples.events.map((events, place) => ({ events, asOf: samples.asOf[place]! }));
  const { rows, standard } = eventSignals(sequences, subject, horizon);
  return { names: SIGNALS, rows, standard, labels: samples.labels, entities: samples.entities };
}

/** Returns the chances of each row by a head that was chosen and fitted without its fold. */
function crossFitted(rows: HeadRows, seed: number) {
  const chances = new Float64Array(rows.labels.length);
  for (const { train, test } of outerFolds(rows.entities)) {
    const [inside, outside] = [someRows(rows, train), someRows(rows, test)];
    const { choice } = chooseHead(inside, candidates, seed);
    const predicted = headChances(fitHead(inside, choice), outside);
    test.forEach((row, place) => {
      chances[row] = predicted[place]!;
    });
  }
  const { labels, entities, standard } = rows;
  return { chances, labels, entities, standard, baseRate: sumOf(labels) / labels.length };
}

/** Null if the dates span less than two horizons. */
function latestFigures(
  rows: HeadRows,
  samples: AlignmentSamples,
  given: { readonly horizon: number; readonly seed: number; readonly aboveStandardMax: number | null },
): HeadFigures | null {
  const { horizon, seed, aboveStandardMax } = given;
  const split = latestSplit(samples, horizon);
  if (!split) return null;
  const [past, latest] = [someRows(rows, split.train), someRows(rows, split.test)];
  const { choice } = chooseHead(past, candidates, seed);
  const chances = headChances(fitHead(past, choice), latest);
  const baseRate = sumOf(past.labels) / past.labels.length;
  return headFigures({ ...latest, chances, baseRate }, seed, { aboveStandardMax, prefix: 'latest_' });
}

function sizeGates(rows: HeadRows): Gate[] {
  const { rows: samples, entities } = countsOf(rows);
  return [
    gate('samples', samples, 'at least', SAMPLES_MIN),
    ...labelGates(rows),
    gate('independent_entities', entities, 'at least', samples),
  ];
}

function limitationsOf(subject: AlignmentTarget, { origin }: TrainingConfig, hasLatest: boolean): string[] {
  return [
    'Score describes the members of the samples at their dates; it says nothing about causes.',
    ...(origin === 'test' ? ['Trained on test samples: for tests only.'] : []),
    ...(hasLatest ? [] : ['SINGLE_WINDOW: members were held out, but no later dates.']),
    ...standardLimitations(subject),
  ];
}

const sliceOf = ({ metrics }: HeadFigures) => ({ metrics });
