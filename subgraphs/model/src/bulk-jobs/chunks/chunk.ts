import type { Scope } from '@loyalty/platform/caller/caller';
import type { Claimed } from '@loyalty/platform/outbox/lost-workers';
import type { StandardVersion } from '../../scoring/standard-versions/standard-versions.ts';

/** After so many attempts a member has failed. */
export const ATTEMPTS_MAX = 3;

/** A chunk that a worker has claimed. */
export interface ClaimedChunk extends Scope, Claimed {
  readonly jobId: string;
  readonly number: number;
  /** Writes are kept only while the chunk has this token. */
  readonly token: number;
  /** The members after this one, up to `toId`; of them `onlyIds`, unless that is empty. */
  readonly afterId: string;
  readonly toId: string;
  readonly onlyIds: readonly string[];
  readonly isRetry: boolean;
  /** Attempts of its members before this one. */
  readonly attempt: number;
  readonly sourceCutoff: Date;
  readonly modelVersion: StandardVersion;
  /** Credits suffice up to `toId` only: what follows becomes a chunk of its own when this is written. */
  readonly isPart?: boolean;
}
