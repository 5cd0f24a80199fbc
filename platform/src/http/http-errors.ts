import { AppError } from '../errors.ts';

/** What fastify says of a body it could not read, in our words. */
export function readableError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413)
    return new AppError('PAYLOAD_TOO_LARGE', 'BODY_TOO_LARGE', 'The body is too large. Send less at once.');
  if (statusCode === 415) {
    return new AppError(
      'BAD_USER_INPUT',
      'MEDIA_TYPE_UNSUPPORTED',
      'The body must be JSON, sent as Content-Type: application/json.',
    );
  }
  if (statusCode && statusCode < 500) {
    return new AppError(
      'BAD_USER_INPUT',
      'BODY_INVALID',
      code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
        ? 'The body is empty; send a JSON object.'
        : 'The body is not valid JSON.',
    );
  }
  return new AppError(
    'INTERNAL_SERVER_ERROR',
    'INTERNAL',
    'Something went wrong on our side. Quote the X-Request-Id of this answer.',
  );
}
