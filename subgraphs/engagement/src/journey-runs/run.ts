import type { Scope } from '@loyalty/platform/base/caller';
import type { Claimed } from '@loyalty/platform/work/lost-workers';

export type RunStatus = 'ACTIVE' | 'COMPLETED' | 'GOAL_REACHED' | 'EXITED' | 'FAILED';

/** One member on the way through a journey. */
export interface JourneyRun {
  readonly id: string;
  readonly journeyId: string;
  readonly version: number;
  readonly memberId: string;
  /** The payload of the event that began it. */
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly status: RunStatus;
  /** Where it stands; empty before the first node. */
  readonly nodeId: string;
  readonly arrivedAt: Date;
  /** How often it has moved. */
  readonly step: number;
  /** Null after its end, and while its journey is paused and it could go on. */
  readonly dueAt: Date | null;
  readonly claim: number;
  /** The event that it waits for; null once that has come. */
  readonly waitsFor: string | null;
  /** Attempts at its node that failed. */
  readonly attempts: number;
  /** Nodes whose message was queued. */
  readonly sentNodes: readonly string[];
  /** Why it ended. */
  readonly reason: string | null;
  readonly enteredAt: Date;
  readonly endedAt: Date | null;
}

/** Which claim of which run a worker has. */
export interface ClaimedRun extends Scope, Claimed {
  readonly id: string;
  readonly journeyId: string;
  readonly version: number;
  readonly claim: number;
}

/** What a node did for runs of a version; what messages became is counted in their log. */
export interface NodeCount {
  readonly journeyId: string;
  readonly version: number;
  readonly nodeId: string;
  /** ENTERED, DONE, SKIPPED:NO_ADDRESS, BRANCH:yes and the like. */
  readonly outcome: string;
  readonly count: number;
}

/** Live channel that wakes who moves runs. */
export const RUNS_CHANNEL = 'journey-runs';

/** After so many attempts at a node, over some hours, a run fails. */
export const ATTEMPTS_MAX = 30;
