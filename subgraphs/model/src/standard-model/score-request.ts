import { AppError, unavailable } from '@loyalty/platform/base/errors';
import type { ScoreBlock, ScoreOptions } from './score-block.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/** Members to score, all of one workspace and with one cutoff. */
export interface ScoreRequest {
  readonly members: StatisticsBlock;
  readonly cutoff: Cutoff;
  readonly options: ScoreOptions;
}

export interface ScoreAnswer {
  readonly scores: ScoreBlock;
  /** 1 for a row that could not be scored; the caller may retry it. Its scores are NaN. */
  readonly failed: Uint8Array;
}

/** The standard model, in whichever process it runs. */
export interface ScorePort {
  /**
   * Returns the scores of members at a cutoff, bit by bit the same wherever the model runs.
   *
   * @param signal - ends the wait for an answer
   * @throws AppError MODEL_SERVICE_UNAVAILABLE (503) if the model is unreachable, too slow or another version
   */
  score(request: ScoreRequest, signal?: AbortSignal): Promise<ScoreAnswer>;
}

/** Returns 503: no score was computed and nothing is charged. */
export const modelUnavailable = (retryAfterSeconds = 1): AppError =>
  unavailable(
    'MODEL_SERVICE_UNAVAILABLE',
    'The model cannot answer right now; nothing was charged. Try again.',
    retryAfterSeconds,
  );

/** The same error for a call that was not sent, because the calls before it had no answer. */
export class ModelPaused extends AppError {
  constructor(retryAfterSeconds: number) {
    const { category, code, message, details } = modelUnavailable(retryAfterSeconds);
    super(category, code, message, details);
  }
}
