import { AppError, unavailable } from '@loyalty/platform/base/errors';
import type { ScoreBlock, ScoreOptions } from './score-block.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/** Members whose scores are wanted, all of one workspace and of one cutoff. */
export interface ScoreRequest {
  readonly members: StatisticsBlock;
  readonly cutoff: Cutoff;
  readonly options: ScoreOptions;
}

export interface ScoreAnswer {
  readonly scores: ScoreBlock;
  /** 1 where a row could not be scored; it may be tried again. Its scores are NaN. */
  readonly failed: Uint8Array;
}

/** The standard model, wherever it runs. */
export interface ScorePort {
  /**
   * Scores of members at a cutoff, with the same bits wherever the model runs.
   *
   * @param signal - ends the wait for an answer
   * @throws AppError MODEL_SERVICE_UNAVAILABLE (503) where the model is away or late, or is another version
   */
  score(request: ScoreRequest, signal?: AbortSignal): Promise<ScoreAnswer>;
}

/** 503: no score was made and nothing is charged. */
export const modelUnavailable = (retryAfterSeconds = 1): AppError =>
  unavailable(
    'MODEL_SERVICE_UNAVAILABLE',
    'The model cannot answer right now; nothing was charged. Try again.',
    retryAfterSeconds,
  );

/** The same, of a call that was not sent because the calls before it had no answer. */
export class ModelPaused extends AppError {
  constructor(retryAfterSeconds: number) {
    const { category, code, message, details } = modelUnavailable(retryAfterSeconds);
    super(category, code, message, details);
  }
}
