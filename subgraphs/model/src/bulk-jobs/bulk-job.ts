import type { Scope } from '@loyalty/platform/base/caller';
import type { StandardVersion } from '../standard-model/standard-versions.ts';

/** Members that one call of the model scores at most. */
export const CHUNK_SIZE = 1_000;

/**
 * Members that are worth a call of the model of their own where credits do not suffice for a whole chunk:
 * with fewer the job pauses, or each call would pay for a smaller part of the rest. The least deposit pays
 * for more.
 */
export const SMALL_CHUNK_SIZE = 250;

export type BulkJobStatus =
  | 'QUEUED'
  | 'RUNNING'
  | 'PAUSED'
  | 'COMPLETED'
  | 'COMPLETED_WITH_ERRORS'
  | 'CANCELLED';

export type BulkPauseReason = 'REQUESTED' | 'INSUFFICIENT_CREDITS' | 'MODEL_SERVICE_UNAVAILABLE';

/** A refresh of the states of all members of a workspace. */
export interface BulkJob {
  readonly id: string;
  readonly name: string;
  readonly modelVersion: StandardVersion;
  readonly status: BulkJobStatus;
  readonly pauseReason: BulkPauseReason | null;
  readonly actor: string;
  readonly sourceCutoff: Date;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Members in all; null until all are found. */
  readonly total: number | null;
  readonly succeeded: number;
  readonly unavailable: number;
  readonly failed: number;
  /** Members times the calls of the model that they were in. */
  readonly attempts: number;
  readonly creditsCharged: bigint;
  /** Without its pauses. */
  readonly elapsedSeconds: number;
  /** Of the last half minute while it runs, of all its time once it has ended; 0 while it waits. */
  readonly membersPerSecond: number;
}

/** A bulk job of any workspace. */
export type BulkJobKey = Scope & { readonly id: string };

/** Members that had their turn, each counted once. */
export const processedOf = ({ succeeded, unavailable, failed }: BulkJob): number =>
  succeeded + unavailable + failed;
