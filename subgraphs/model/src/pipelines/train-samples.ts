import { canonicalJson, sha256Hex } from '../estimators/canonical-json.ts';
import { fitDistribution } from '../estimators/feature-distribution.ts';
import { encodeRows, fitEncoder, rowsOf } from '../estimators/feature-encoder.ts';
import { gate } from '../estimators/gates.ts';
import { featureLeaks, identicalRows, leakageGates } from '../estimators/leakage.ts';
import { outerSplit } from '../estimators/outer-split.ts';
import { readSamples, type Samples } from '../estimators/samples.ts';
import type {
  TrainedArtifact,
  TrainingOutcome,
  TrainingProgress,
  TrainingRequest,
  TrainingTask,
} from '../estimators/training-request.ts';
import { basketTraining } from './basket-training.ts';
import { binaryTraining } from './binary-training.ts';
import { itemTraining } from './item-training.ts';
import { readModel, type TrainedModel } from './trained-model.ts';
import { reportOf } from './training-report.ts';
import {
  type FittedLearner,
  samplesInvalid,
  type TaskTraining,
  type TrainingRun,
  tooFewSamples,
} from './training-run.ts';

/** To be increased with every change of fits or measurements. */
const CODE_VERSION = '1';

const TRAIN_ROWS_MIN = 100;
const IDENTICAL_SHARE_MAX = 0.1;
const ENTITY_JUMP_MAX = 0.05;
const GIVEN = 'Score is no calibrated probability and says nothing about causes.';

const trainings: Readonly<Record<TrainingTask, TaskTraining>> = {
  return: binaryTraining,
  tier: binaryTraining,
  item: itemTraining,
  basket: basketTraining,
};

/**
 * Fits, evaluates and reports a model of one of the four tasks. The same content and settings give the same
 * bits, whatever the workspace.
 *
 * @throws AppError SAMPLES_INVALID (400), TOO_FEW_SAMPLES (400)
 */
export function trainSamples(
  request: TrainingRequest & { readonly subject: TrainingTask },
  onProgress: (progress: TrainingProgress) => void,
): TrainingOutcome {
  const { subject, config, content, uploadedAt } = request;
  const progress = (step: string, done: number) => onProgress({ step, done });
  progress('Reading the samples', 0);
  const { samples, issues } = readSamples(subject, config, content, new Date(uploadedAt));
  if (!samples) throw samplesInvalid(issues);
  const dataHash = sha256Hex(content);
  const run = runOf(request, samples, dataHash, progress);
  const fitted = trainings[subject].fit(run);
  const artifactJson = artifactJsonOf(request, run, fitted);
  const fingerprint = sha256Hex(artifactJson);
  const artifact = JSON.parse(artifactJson) as TrainedArtifact;
  const evaluated = evaluatedOf(run, trainings[subject], fitted);
  progress('Writing the report', 0.97);
  const reportJson = canonicalJson(
    reportOf({ ...evaluated, request, run, fitted, model: readModel(artifact), dataHash, fingerprint }),
  );
  progress('Done', 1);
  return {
    artifact,
    artifactJson,
    fingerprint,
    reportJson,
    reportHash: sha256Hex(reportJson),
    passed: evaluated.gates.every(({ passed }) => passed),
    sampleCount: samples.ids.length,
  };
}

/** Returns the held-out figures and the checks for leaks. */
function evaluatedOf(run: TrainingRun, training: TaskTraining, fitted: FittedLearner) {
  const { samples, split } = run;
  const leaks = featureLeaks(samples, featuresOf(run), run.labels);
  const figures = training.evaluate(run, fitted, leaks);
  const identical = identicalRows(samples, split);
  const gates = [
    ...figures.gates,
    ...leakageGates(samples, split, leaks),
    // Rows whose label is not complete are refused by the parser.
    gate('complete_windows', 1, 'at least', 1),
  ];
  return { leaks, figures, gates, identical, found: foundLimitations(run, identical, figures.entityJump) };
}

function runOf(
  { subject, base }: TrainingRequest,
  samples: Samples,
  dataHash: string,
  onProgress: TrainingRun['onProgress'],
): TrainingRun {
  const split = outerSplit(samples);
  if (split.train.length < TRAIN_ROWS_MIN || split.test.length === 0)
    throw tooFewSamples(`Fewer than ${TRAIN_ROWS_MIN} samples are left to fit to, or none to hold out.`);
  const encoder = fitEncoder(rowsOf(samples.features, split.train));
  const baseModel = base ? readModel(base) : null;
  const isComparable =
    baseModel?.subject === subject && baseModel.features.join('|') === samples.featureNames.join('|');
  return {
    samples,
    split,
    encoder,
    rows: encodeRows(encoder, samples.features),
    // 32 bits of the hash suffice as a seed.
    seed: Number.parseInt(dataHash.slice(0, 8), 16),
    base: isComparable ? baseModel : null,
    baseRows: isComparable ? encodeRows(baseModel.encoder, rowsOf(samples.features, split.test)) : null,
    labels:
      subject === 'return' || subject === 'tier'
        ? Uint8Array.from(samples.targets, (target) => Number(target))
        : null,
    onProgress,
  };
}

/** Returns the features without the indicators of empty cells. */
function featuresOf({ encoder, samples }: TrainingRun) {
  return encodeRows({ ...encoder, indicators: [] }, samples.features);
}

function artifactJsonOf(
  { subject, config, base }: TrainingRequest,
  run: TrainingRun,
  fitted: FittedLearner,
): string {
  const isIncomparable = base !== null && run.base === null;
  const artifact: TrainedModel = {
    kind: 'TRAINING',
    subject: subject as TrainingTask,
    codeVersion: CODE_VERSION,
    origin: config.origin,
    horizon: config.horizon,
    features: [...run.samples.featureNames],
    encoder: structuredClone(run.encoder) as TrainedModel['encoder'],
    distribution: structuredClone(
      fitDistribution(rowsOf(featuresOf(run), run.split.train)),
    ) as TrainedModel['distribution'],
    baseRate: fitted.baseRate,
    deciles: [...fitted.deciles],
    limitations: [
      GIVEN,
      ...(config.origin === 'test' ? ['Trained on test samples: for tests only.'] : []),
      ...(run.split.testFrom === null ? ['SINGLE_WINDOW: members were held out, but no later dates.'] : []),
      ...(isIncomparable ? ['BASE_NOT_COMPARABLE: the version before it has other features.'] : []),
    ],
    model: fitted.model,
  };
  return canonicalJson(artifact);
}

function foundLimitations({ split }: TrainingRun, identical: number, entityJump: number | null): string[] {
  return [
    ...(identical > IDENTICAL_SHARE_MAX * split.test.length
      ? [`IDENTICAL_ROWS: ${identical} held-out rows are the same as rows that were fitted to.`]
      : []),
    ...((entityJump ?? 0) > ENTITY_JUMP_MAX
      ? ['ENTITY_JUMP: the model is better for members that it was fitted to.']
      : []),
  ];
}
