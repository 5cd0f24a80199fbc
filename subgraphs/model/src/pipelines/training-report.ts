import { distributionReport } from '../estimators/feature-distribution.ts';
import { rowAt } from '../estimators/feature-encoder.ts';
import { type Gate, heldOutWarnings, warningLimitations } from '../estimators/gates.ts';
import { pick } from '../estimators/inner-folds.ts';
import type { FeatureLeak } from '../estimators/leakage.ts';
import type { TrainingRequest } from '../estimators/training-request.ts';
import { sumOf } from '../numerics/metrics.ts';
import type { TrainedModel } from './trained-model.ts';
import type { FittedLearner, HeldOutFigures, TrainingRun } from './training-run.ts';

/** The parts of a report. */
export interface ReportParts {
  readonly request: TrainingRequest;
  readonly run: TrainingRun;
  readonly fitted: FittedLearner;
  readonly figures: HeldOutFigures;
  readonly gates: readonly Gate[];
  readonly leaks: readonly FeatureLeak[];
  readonly model: TrainedModel;
  /** SHA-256 of the uploaded file. */
  readonly dataHash: string;
  readonly fingerprint: string;
  readonly identical: number;
  /** Limitations in addition to those of the model itself. */
  readonly found: readonly string[];
}

/**
 * Returns the report of a training as plain data: the input, the split, the fit, and the held-out figures.
 */
export function reportOf(parts: ReportParts) {
  const { request, run, fitted, figures, gates, model, leaks } = parts;
  const warnings = heldOutWarnings(figures.metrics);
  return {
    kind: model.kind,
    subject: model.subject,
    config: request.config,
    code_version: model.codeVersion,
    node_version: process.version,
    data_sha256: parts.dataHash,
    evaluated_at: request.uploadedAt,
    seed: run.seed,
    fingerprint: parts.fingerprint,
    samples: samplesOf(run),
    learner: {
      ...learnerOf(model),
      candidates: fitted.candidates.map(({ logLoss, ...each }) => ({ ...each, log_loss: logLoss })),
    },
    evaluation: {
      passed: gates.every(({ passed }) => passed),
      metrics: figures.metrics,
      baseline: figures.baseline,
      gates,
      warnings,
    },
    calibration: figures.calibration,
    features: fitted.importance,
    slices: figures.slices,
    leakage: { features: leaks, identical_rows: parts.identical, entity_jump_auc: figures.entityJump },
    out_of_distribution: distributionReport(model.features, model.distribution),
    limitations: [...model.limitations, ...parts.found, ...warningLimitations(warnings)],
  };
}

function learnerOf({ model }: TrainedModel) {
  if (model.learner === 'boosted_trees')
    return { name: model.learner, lambda: null, trees: model.trees.length };
  return { name: model.learner, lambda: model.lambda, trees: null };
}

function samplesOf(run: TrainingRun) {
  const { samples, split } = run;
  const all = Uint32Array.from(samples.ids, (_, row) => row);
  return {
    ...countsOf(run, all),
    train: countsOf(run, split.train),
    held_out: countsOf(run, split.test),
    dropped: split.dropped,
    held_out_from: split.testFrom === null ? null : dayOf(split.testFrom),
    empty_cells: Object.fromEntries(
      samples.featureNames.flatMap((name, column) => {
        const empty = all.filter((row) => Number.isNaN(rowAt(samples.features, row)[column]!)).length;
        return empty > 0 ? [[name, empty]] : [];
      }),
    ),
  };
}

function countsOf({ samples, labels }: TrainingRun, rows: Uint32Array) {
  const dates = pick(samples.asOf, rows);
  return {
    rows: rows.length,
    entities: new Set(pick(samples.entities, rows)).size,
    positives: labels ? sumOf(pick(labels, rows)) : null,
    as_of_first: dates.length > 0 ? dayOf(dates[0]!) : null,
    as_of_last: dates.length > 0 ? dayOf(dates.at(-1)!) : null,
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString();
