import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../base/clock.ts';

export const bodyBounds = {
  /** Time in which a body must arrive. */
  bodyMs: MINUTE_MS,
  /** Time in which a file must arrive, after its sender was authorized. */
  fileMs: 60 * MINUTE_MS,
  /** After the answer, up to this many bytes of an unwanted body are read, for at most `unreadMs`. */
  unreadBytes: 32 * 1024 * 1024,
  unreadMs: 20 * SECOND_MS,
} as const;

export type BodyBounds = { readonly [Name in keyof typeof bodyBounds]: number };

declare module 'fastify' {
  interface FastifyRequest {
    /** Extends the time of the body to that of a file; null if the request has no body. */
    extendBodyTime: (() => void) | null;
  }
}

/**
 * Limits the time in which bodies must arrive. Also lets clients receive answers that are sent before the
 * whole body was read.
 */
export function boundBodies(app: FastifyInstance, bounds: BodyBounds = bodyBounds): void {
  app.decorateRequest('extendBodyTime', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (hasBody(raw)) {
      const timer = endAfter(raw, bounds.bodyMs);
      request.extendBodyTime = () => {
        clearTimeout(timer);
        endAfter(raw, bounds.fileMs);
      };
    }
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    readRest(request, reply, bounds);
    done(null, payload);
  });
}

/**
 * Reads the rest of a body and discards it, up to a limit. Otherwise the server would close the connection at
 * once, and a client that is still sending would lose the answer.
 */
export function readRest(
  { raw }: Pick<FastifyRequest, 'raw'>,
  reply: FastifyReply,
  { unreadBytes, unreadMs }: BodyBounds = bodyBounds,
): void {
  if (raw.complete || !hasBody(raw)) return;
  reply.removeHeader('connection');
  let bytes = 0;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > unreadBytes) raw.destroy();
  });
  raw.on('error', () => undefined);
  raw.resume();
  endAfter(raw, unreadMs);
}

function endAfter(raw: IncomingMessage, ms: number): NodeJS.Timeout {
  const timer = setTimeout(() => raw.complete || raw.destroy(), ms).unref();
  raw.once('close', () => clearTimeout(timer));
  return timer;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
