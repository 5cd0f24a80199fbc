import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS, SECOND_MS } from '../base/clock.ts';

export const bodyBounds = {
  /** A body must have arrived within this time. */
  bodyMs: MINUTE_MS,
  /** A file has this time, once its sender is known to be allowed to send one. */
  fileMs: 60 * MINUTE_MS,
  /** After the answer, so many bytes of an unwanted body are read, for so long. */
  unreadBytes: 32 * 1024 * 1024,
  unreadMs: 20 * SECOND_MS,
} as const;

export type BodyBounds = { readonly [Name in keyof typeof bodyBounds]: number };

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives the body the time of a file; null where there is none to wait for. */
    extendBodyTime: (() => void) | null;
  }
}

/** Bounds the time in which bodies arrive, and lets answers arrive whose body was not read to its end. */
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
 * Reads what is left of a body and throws it away, up to a bound. The server would close the connection at
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
