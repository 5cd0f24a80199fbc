import { AppError, unavailable } from '@loyalty/platform/errors';

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
