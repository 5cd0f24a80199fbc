import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, internalError } from '../base/errors.ts';
import { sendRestError } from './http-errors.ts';
import { readRest } from './request-bodies.ts';

/**
 * Answers every error of these routes in the form of `send`. Requests that fastify could not read get our own
 * message; unexpected errors are logged and masked.
 */
export function answerErrors(
  app: FastifyInstance,
  send: (request: FastifyRequest, reply: FastifyReply, error: AppError) => FastifyReply,
): void {
  app.setErrorHandler((error, request, reply) => {
    const readable = error instanceof AppError ? error : unreadable(error as FastifyFault);
    if (!readable) request.log.error({ err: error, requestId: request.id }, 'request failed');
    return send(request, reply, readable ?? internalError());
  });
}

/**
 * Accepts JSON bodies only, because HTML forms of other sites cannot send them. A POST that needs no body may
 * have an empty one.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else void parse(request, text as string, done);
  });
}

interface FastifyFault {
  readonly statusCode?: number;
  readonly code?: string;
}

/** Returns null for an error that is not the fault of the request. */
function unreadable({ statusCode, code }: FastifyFault): AppError | null {
  if (statusCode === undefined || statusCode >= 500) return null;
  if (statusCode === 413) return bodyTooLarge();
  if (statusCode === 415) {
    const sentence = 'The body must be JSON, sent as Content-Type: application/json.';
    return new AppError('BAD_USER_INPUT', 'MEDIA_TYPE_UNSUPPORTED', sentence);
  }
  const isEmpty = code === 'FST_ERR_CTP_EMPTY_JSON_BODY';
  const sentence = isEmpty ? 'The body is empty; send a JSON object.' : 'The body is not valid JSON.';
  return new AppError('BAD_USER_INPUT', 'BODY_INVALID', sentence);
}

/** 413. */
export const bodyTooLarge = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', 'BODY_TOO_LARGE', 'The body is too large. Send less at once.');

/**
 * Handles fastify's `frameworkErrors`: a path that cannot be decoded, or has a segment that is too long,
 * matches no route.
 */
export function answerUnreadablePath(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const sentence = 'There is no such path here. See /docs/rest for every path.';
  readRest(request, reply);
  reply.header('cache-control', 'no-store');
  sendRestError(request, reply, new AppError('NOT_FOUND', 'PATH_NOT_FOUND', sentence));
}
