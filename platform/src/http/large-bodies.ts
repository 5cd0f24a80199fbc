import { Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SECOND_MS } from '../base/clock.ts';
import { concurrencyLimit, type Limited } from '../base/concurrency-limit.ts';
import { uploadsBusy } from '../base/errors.ts';

export const largeBodyBounds = {
  /** Size above which a body is large. */
  bytes: 512 * 1024,
  /**
   * Maximum of large bodies at the same time in one process. Each takes up to 30 MB, with all derived data,
   * until it is answered.
   */
  heldMax: 10,
  waitingMax: 50,
  /** Time after which a waiting request is refused. */
  waitMs: 30 * SECOND_MS,
} as const;

type LargeBodyBounds = { readonly [Name in keyof typeof largeBodyBounds]: number };

/**
 * Limits how many large JSON bodies a process holds at the same time, which protects its memory. A further
 * large body is read only up to the limit of small ones until a place is free. Streamed bodies, such as CSV
 * files, are not counted.
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

/** The length of a chunked body is unknown, so it may be large. */
function mayBeLarge({ headers, routeOptions }: FastifyRequest, bytes: number): boolean {
  const isJson = headers['content-type']?.toLowerCase().startsWith('application/json') ?? false;
  const length = headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : Number(headers['content-length']);
  return isJson && length > bytes && (routeOptions.bodyLimit ?? 0) > bytes;
}

/** Passes the first `bytesMax` bytes, and the rest after a place was taken. */
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

/** Waits for a place. It becomes free when the request is answered or its client disconnects. */
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
