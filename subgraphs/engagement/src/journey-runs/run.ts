import type { Scope } from '@loyalty/platform/base/caller';
import type { Claimed } from '@loyalty/platform/work/lost-workers';

export type RunStatus = 'ACTIVE' | 'COMPLETED' | 'GOAL_REACHED' | 'EXITED' | 'FAILED';

/** The run of a member through a journey. */
export interface JourneyRun {
  readonly id: string;
  readonly journeyId: string;
  readonly version: number;
  readonly memberId: string;
  /** The payload of the event that started the run. */
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly status: RunStatus;
  /** The current node; empty before the first node. */
  readonly nodeId: string;
  readonly arrivedAt: Date;
  /** Number of moves. */
  readonly step: number;
  /** Null after the end, and for a due run of a paused journey. */
  readonly dueAt: Date | null;
  readonly claim: number;
  /** The awaited event; null after it has occurred. */
  readonly waitsFor: string | null;
  /** Number of failed attempts at the current node. */
  readonly attempts: number;
  /** Nodes whose message was queued. */
  readonly sentNodes: readonly string[];
  /** The reason of the end. */
  readonly reason: string | null;
  readonly enteredAt: Date;
  readonly endedAt: Date | null;
}

/** The claim of a worker on a run. */
export interface ClaimedRun extends Scope, Claimed {
  readonly id: string;
  readonly journeyId: string;
  readonly version: number;
  readonly claim: number;
}

/** The number of outcomes of a node in a version. Outcomes of messages are counted in their log. */
export interface NodeCount {
  readonly journeyId: string;
  readonly version: number;
  readonly nodeId: string;
  /** For example ENTERED, DONE, SKIPPED:NO_ADDRESS, BRANCH:yes. */
  readonly outcome: string;
  readonly count: number;
}

/** Live channel that wakes the workers that move runs. */
export const RUNS_CHANNEL = 'journey-runs';

/** Maximum number of attempts at a node, over some hours. Then the run fails. */
export const ATTEMPTS_MAX = 30;
