import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../base/clock.ts';
import { concurrencyLimit, type Limited } from '../base/concurrency-limit.ts';
import { uploadsBusy } from '../base/errors.ts';

export const largeBodyBounds = {
  /** A longer body is a large one. */
  bytes: 512 * 1024,
  /** At once in one process: with all that is made of it, one takes up to 30 MB until it is answered. */
  heldMax: 10,
  waitingMax: 50,
  /** One that has waited so long is refused. */
  waitMs: 30 * SECOND_MS,
} as const;

type LargeBodyBounds = { readonly [Name in keyof typeof largeBodyBounds]: number };

/**
 * Bounds how many large JSON bodies a process holds at once, so that many at once do not take all of its
 * memory. Of others the rest is not read before it is their turn. Bodies that are read as streams, such as
 * CSV files, are not counted.
 */
export function limitLargeBodies(app: FastifyInstance, bounds: LargeBodyBounds = largeBodyBounds): void {
  const { bytes, heldMax, waitingMax, waitMs } = bounds;
  const limited = concurrencyLimit({ runningMax: heldMax, waitingMax, busy: uploadsBusy });
  app.addHook('preParsing', async (request, reply, payload) =>
    mayBeLarge(request, bytes)
      ? payload.pipe(heldBack(bytes, () => placeFor(reply, limited, waitMs)))
      : payload,
  );
}

/** Of a body in chunks the length is not known. */
function mayBeLarge({ headers, routeOptions }: FastifyRequest, bytes: number): boolean {
  const isJson = headers['content-type']?.toLowerCase().startsWith('application/json') ?? false;
  const length = headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : Number(headers['content-length']);
  return isJson && length > bytes && (routeOptions.bodyLimit ?? 0) > bytes;
}

/** Passes so many bytes on, and the others once there is a place. */
function heldBack(bytesMax: number, place: () => Promise<void>): Transform {
  let bytes = 0;
  let isLarge = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (isLarge || bytes <= bytesMax) return done(null, chunk);
      isLarge = true;
      place().then(() => done(null, chunk), done);
    },
  });
}

/** Waits for a place, which is free again when the request is answered, or its client gone. */
function placeFor(reply: FastifyReply, limited: Limited, waitMs: number): Promise<void> {
  const place = Promise.withResolvers<void>();
  const waiting = new AbortController();
  const late = setTimeout(() => {
    waiting.abort();
    place.reject(uploadsBusy());
  }, waitMs);
  const hold = async () => {
    clearTimeout(late);
    place.resolve();
    await finished(reply.raw);
  };
  limited(hold, waiting.signal).catch((error: unknown) => {
    clearTimeout(late);
    place.reject(error);
  });
  return place.promise;
}
