import { columnImportance } from '../estimators/binary-model.ts';
import { canonicalJson, sha256Hex } from '../estimators/canonical-json.ts';
import { distributionReport } from '../estimators/feature-distribution.ts';
import { type Gate, heldOutWarnings, warningLimitations } from '../estimators/gates.ts';
import type { TrainedArtifact, TrainingConfig, TrainingOutcome } from '../estimators/training-request.ts';
import type { AlignmentModel } from './alignment-artifact.ts';
import type { ChosenHead } from './head-choice.ts';
import type { HeadFigures } from './head-figures.ts';

/** The parts of an alignment's report. */
export interface AlignmentReportParts {
  readonly model: AlignmentModel;
  readonly config: TrainingConfig;
  readonly chosen: ChosenHead;
  readonly gates: readonly Gate[];
  readonly figures: HeadFigures;
  /** The association of each single signal with the target. */
  readonly signals: readonly { readonly name: string; readonly auc: number; readonly dropped: boolean }[];
  readonly data: { readonly sha256: string; readonly evaluatedAt: string; readonly seed: number };
  readonly samples: { readonly rows: number } & Readonly<Record<string, unknown>>;
  readonly slices: readonly Readonly<Record<string, unknown>>[];
}

/** Returns artifact and report of a head as canonical JSON, with their hashes. */
export function alignmentOutcome(parts: AlignmentReportParts): TrainingOutcome {
  const artifactJson = canonicalJson(parts.model);
  const fingerprint = sha256Hex(artifactJson);
  const reportJson = canonicalJson(reportOf(parts, fingerprint));
  return {
    artifact: JSON.parse(artifactJson) as TrainedArtifact,
    artifactJson,
    fingerprint,
    reportJson,
    reportHash: sha256Hex(reportJson),
    passed: parts.gates.every(({ passed }) => passed),
    sampleCount: parts.samples.rows,
  };
}

/** Fields have the same names as in the report of a training. */
function reportOf(parts: AlignmentReportParts, fingerprint: string) {
  const { model, chosen, gates, figures, data, signals } = parts;
  const { choice } = chosen;
  const importance = columnImportance(model.model);
  const warnings = heldOutWarnings(figures.metrics);
  return {
    kind: model.kind,
    subject: model.subject,
    source: model.source,
    config: parts.config,
    code_version: model.codeVersion,
    node_version: process.version,
    standard_model: model.standardModel,
    data_sha256: data.sha256,
    evaluated_at: data.evaluatedAt,
    seed: data.seed,
    fingerprint,
    samples: parts.samples,
    learner: {
      name: model.model.learner,
      head: choice.head,
      lambda: choice.lambda,
      trees: choice.trees,
      candidates: chosen.candidates.map(({ logLoss, ...each }) => ({ ...each, log_loss: logLoss })),
    },
    evaluation: {
      passed: gates.every(({ passed }) => passed),
      metrics: figures.metrics,
      baseline: figures.baseline,
      gates,
      warnings,
    },
    calibration: figures.calibration,
    features: model.signals.map((name, place) => ({ name, value: importance[place]! })),
    slices: parts.slices,
    leakage: { features: signals },
    out_of_distribution: distributionReport(model.signals, model.distribution),
    limitations: [...model.limitations, ...warningLimitations(warnings)],
  };
}
