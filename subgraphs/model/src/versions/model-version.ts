import type { Scope } from '@loyalty/platform/base/caller';
import { type AppError, conflict } from '@loyalty/platform/base/errors';
import type { TrainingRequest } from '../estimators/training-request.ts';

export type VersionKind = 'TRAINING' | 'ALIGNMENT';
export type TrainingTaskName = 'RETURN' | 'ITEM' | 'BASKET' | 'TIER';
export type AlignmentTargetName = 'PURCHASE' | 'CHURN' | 'ABANDONMENT';
export type VersionSubject = TrainingTaskName | AlignmentTargetName;
/** Uploaded samples, or the history of the workspace's own members. */
export type VersionSource = 'UPLOAD' | 'OWN_HISTORY';
export type VersionOrigin = 'TEST' | 'LIVE';
export type VersionStatus =
  | 'UPLOADED'
  | 'QUEUED'
  | 'RUNNING'
  | 'CANCELLED'
  | 'FAILED'
  | 'EVALUATED'
  | 'APPROVED'
  | 'REJECTED'
  | 'PUBLISHED';

/** A model of the workspace's own; each start of its training is an attempt. */
export interface ModelVersion {
  readonly id: string;
  readonly kind: VersionKind;
  readonly subject: VersionSubject;
  readonly origin: VersionOrigin;
  readonly source: VersionSource;
  readonly name: string;
  /** In days. */
  readonly horizon: number;
  readonly ruleVersion: string | null;
  readonly definition: string | null;
  readonly sampleCount: number;
  /** The version that an incremental one continues. */
  readonly baseId: string | null;
  readonly actor: string;
  /** The person responsible for the upload, whichever key was used. */
  readonly administrator: string;
  readonly createdAt: Date;
  readonly status: VersionStatus;
  /** Number of starts. */
  readonly attempt: number;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly failureCode: string | null;
  readonly failure: string | null;
  /** The current step of the attempt. */
  readonly step: string | null;
  /** The completed part of the attempt, from 0 to 1. */
  readonly done: number;
  /** The report of the latest attempt that has one. */
  readonly reportId: string | null;
  /** Fingerprint of the artifact in that report. */
  readonly fingerprint: string | null;
  readonly publishedAt: Date | null;
}

/** A version of any workspace. */
export type VersionKey = Scope & { readonly id: string };

/** The name of a version in progress events. */
export const VERSION_NOUN = 'modelVersion';

export const isTraining = ({ status }: Pick<ModelVersion, 'status'>): boolean =>
  status === 'QUEUED' || status === 'RUNNING';

/** Returns the subject in the notation of training. */
export const subjectOf = ({ subject }: Pick<ModelVersion, 'subject'>): TrainingRequest['subject'] =>
  subject.toLowerCase() as TrainingRequest['subject'];

/** Returns 409 for a version in the wrong state. @param done - past participle */
export const wrongState = ({ status }: Pick<ModelVersion, 'status'>, done: string): AppError =>
  conflict('VERSION_STATE', `A version that is ${status.toLowerCase()} cannot be ${done}.`);
