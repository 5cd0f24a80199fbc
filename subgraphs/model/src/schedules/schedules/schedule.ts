import type { Cadence } from '../cadence/cadence.ts';

/** Trains a new version of a base again and again, once enough new samples are there. */
export interface TrainingSchedule {
  readonly id: string;
  readonly baseId: string;
  readonly isEnabled: boolean;
  readonly isPaused: boolean;
  readonly cadence: Cadence;
  /** Null while it is not enabled, or paused. */
  readonly nextRunAt: Date | null;
  /** When a run was last due. */
  readonly lastRunAt: Date | null;
  /** The version that the last run made. */
  readonly lastVersionId: string | null;
  /** The person responsible for it: `user:<id>`, or who made it. */
  readonly administrator: string;
  readonly createdAt: Date;
}

/** What became of a schedule. */
export interface ScheduleLogEntry {
  readonly id: string;
  readonly scheduleId: string;
  readonly type: string;
  readonly detail: string;
  readonly createdAt: Date;
}
