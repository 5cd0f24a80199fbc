import type { Scope } from '@loyalty/platform/base/caller';
import type { StandardVersion } from '../standard-model/standard-versions.ts';

/** The most members that one call of the model scores. */
export const CHUNK_SIZE = 1_000;

/**
 * If credits do not suffice for a whole chunk: the fewest members for a separate call of the model. With
 * fewer the job pauses, because the overhead of each call would be paid for fewer and fewer members. The
 * smallest deposit pays for more.
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
  /** Number of all members; null until all are found. */
  readonly total: number | null;
  readonly succeeded: number;
  readonly unavailable: number;
  readonly failed: number;
  /** Sum over all members of the calls of the model they were in. */
  readonly attempts: number;
  readonly creditsCharged: bigint;
  /** Without pauses. */
  readonly elapsedSeconds: number;
  /** Average of the last half minute while it runs, of its whole run after its end; 0 while it waits. */
  readonly membersPerSecond: number;
}

/** A bulk job of any workspace. */
export type BulkJobKey = Scope & { readonly id: string };

/** Returns the number of processed members, each counted once. */
export const processedOf = ({ succeeded, unavailable, failed }: BulkJob): number =>
  succeeded + unavailable + failed;
