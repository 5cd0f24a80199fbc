import { Transform, type TransformCallback } from 'node:stream';
import '@loyalty/platform/http/http-request';
import { bodyTooLarge } from '@loyalty/platform/http/unreadable-requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../admission/limits.ts';
import type { Graph } from '../graph.ts';

/** Of any operation. */
const bytesMax = limits.bodyBytes + limits.documentBytes;

/**
 * Requests of operations that take a file may be larger than others. Before the body is read, only a
 * signed-in caller with a Content-Length may send more than usual. Once it is read, the operation must be one
 * that takes so much, and its text must keep the usual limit.
 */
export function limitBodies(scope: FastifyInstance, graph: Graph): void {
  scope.addHook('preParsing', async (request, _reply, payload) => {
    const length = lengthOf(request);
    if (length !== null && length <= bytesMax) return payload;
    if (length !== null && request.caller.kind !== 'ANONYMOUS' && !request.refused) return payload;
    if (length !== null) throw bodyTooLarge();
    return payload.pipe(boundedTo(bytesMax));
  });
  scope.addHook('preHandler', async (request) => {
    const length = lengthOf(request) ?? 0;
    if (length > bytesMax && length > bytesMaxOf(request.body, graph)) throw bodyTooLarge();
  });
}

/** Bytes of the body; null where they are not known, as in chunked requests. */
function lengthOf({ headers }: FastifyRequest): number | null {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding ? null : Number(length ?? 0);
}

/** The limit for the operation of a body; its text has the usual limit. */
function bytesMaxOf(body: unknown, graph: Graph): number {
  const { query, operationName } = (body ?? {}) as { query?: unknown; operationName?: unknown };
  if (typeof query !== 'string' || query.length > limits.bodyBytes) return bytesMax;
  return graph.bytesMax({ query, ...(typeof operationName === 'string' && { operationName }) });
}

function boundedTo(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(bodyTooLarge());
      else done(null, chunk);
    },
  });
}
