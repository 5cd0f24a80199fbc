/** The questions that a model trained on the workspace's own samples answers. */
export type TrainingTask = 'return' | 'item' | 'basket' | 'tier';

/** Scores of the standard model that can be aligned. */
export type AlignmentTarget = 'purchase' | 'churn' | 'abandonment';

/** A task, or the target of an alignment. */
export type TrainingSubject = TrainingTask | AlignmentTarget;

export interface TrainingConfig {
  /** A version of test samples stays a test version. */
  readonly origin: 'test' | 'live';
  /** Days between the date of a sample and the end of its label. */
  readonly horizon: number;
  readonly ruleVersion: string | null;
  readonly definition: string | null;
}

/** An issue of an uploaded file, with its place. */
export interface SampleIssue {
  /** 1 is the first row of data, 0 the header. */
  readonly row: number;
  readonly column: string;
  readonly message: string;
}

/**
 * A stored model: the result of `JSON.parse` for `artifactJson`. Its numbers are strings, so that its
 * canonical JSON is the same text again.
 */
export interface TrainedArtifact {
  readonly kind: 'TRAINING' | 'ALIGNMENT';
  readonly subject: TrainingSubject;
  readonly [field: string]: unknown;
}

export interface TrainingRequest {
  readonly subject: TrainingSubject;
  readonly config: TrainingConfig;
  /** The uploaded CSV. */
  readonly content: string;
  /** ISO 8601. */
  readonly uploadedAt: string;
  /** The artifact of the version that an incremental one continues; null for other versions. */
  readonly base: TrainedArtifact | null;
}

export interface TrainingOutcome {
  readonly artifact: TrainedArtifact;
  /** Canonical JSON of the artifact. */
  readonly artifactJson: string;
  /** SHA-256 of `artifactJson`. */
  readonly fingerprint: string;
  /** Canonical JSON of the report. */
  readonly reportJson: string;
  /** SHA-256 of `reportJson`. */
  readonly reportHash: string;
  /** Every gate was passed. */
  readonly passed: boolean;
  readonly sampleCount: number;
}

export interface TrainingProgress {
  /** Description of the current step, for people. */
  readonly step: string;
  /** From 0 to 1. */
  readonly done: number;
}

/** Options to watch and end the work. */
export interface WorkOptions {
  /** Aborting it ends the work at once. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: TrainingProgress) => void;
}
