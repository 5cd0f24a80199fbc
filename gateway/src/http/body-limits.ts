import { Transform, type TransformCallback } from 'node:stream';
import '@loyalty/platform/http/http-request';
import { bodyTooLarge } from '@loyalty/platform/http/unreadable-requests';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../admission/limits.ts';
import type { Graph } from '../graph.ts';

/** Size limit of operations without a file. */
const bytesMax = limits.bodyBytes + limits.documentBytes;

/**
 * Allows larger requests for operations with a file. Before the body is read, only a signed-in caller with a
 * Content-Length may exceed the usual limit. Afterwards, the operation must accept a file of this size, and
 * its text must keep the usual limit.
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

/** Returns the size of the body; null if it is unknown, as in chunked requests. */
function lengthOf({ headers }: FastifyRequest): number | null {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding ? null : Number(length ?? 0);
}

/** Returns the limit for the operation in a body; its text has the usual limit. */
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
