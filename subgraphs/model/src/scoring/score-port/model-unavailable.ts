import { type AppError, unavailable } from '@loyalty/platform/errors';

/** 503: no score was made and nothing is charged. */
export const modelUnavailable = (retryAfterSeconds = 1): AppError =>
  unavailable(
    'MODEL_SERVICE_UNAVAILABLE',
    'The model cannot answer right now; nothing was charged. Try again.',
    retryAfterSeconds,
  );
