import { type Dispatcher, Pool } from 'undici';

const CONNECTIONS = 32;
const KEEP_ALIVE_MS = 60_000;

/** Length above which a request carries a file; others have at most 256 KiB and the document. */
const FILE_LENGTH = 260 * 1024;
/** A request with a file may take this many times as long. */
export const FILE_TIMEOUT_FACTOR = 10;

/** Returns the timeout of a request; a body of bytes never carries a file. */
export const requestTimeoutMs = (body: string | Uint8Array, timeoutMs: number): number =>
  typeof body === 'string' ? timeoutOfLength(body.length, timeoutMs) : timeoutMs;

/** Returns the timeout for a text body of this length. */
export const timeoutOfLength = (length: number, timeoutMs: number): number =>
  length > FILE_LENGTH ? FILE_TIMEOUT_FACTOR * timeoutMs : timeoutMs;

/** A complete answer with any status. */
export interface HttpAnswer {
  readonly status: number;
  /** Headers by name in lower case; repeated headers are lists. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Posts to one address over keep-alive connections. */
export interface Poster {
  /**
   * Sends a request and returns the whole answer.
   *
   * @throws Error if the answer is not complete in time, including the wait for a connection, or if `signal`
   *   aborts
   * @throws AnswerTooLargeError if the answer has too many bytes
   */
  post(
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface PosterOptions {
  /** Time from the request to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Maximum time to open a connection; default `timeoutMs`. */
  readonly connectTimeoutMs?: number;
}

/** The answer was too large and was cut off. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * Uses undici's dispatcher directly. The gateway sends so many requests that the streams and listeners of the
 * other interfaces would double the cost of a request.
 */
export function createPoster(url: string, options: PosterOptions): Poster {
  const { timeoutMs, answerBytesMax, connectTimeoutMs = timeoutMs } = options;
  const { origin, pathname, search } = new URL(url);
  // Each request has one deadline; the pool's timeouts would restart with each part of it.
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: connectTimeoutMs,
  });
  const path = pathname + search;
  return {
    post: (body, headers, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(gone());
        const request = { method: 'POST', path, headers, body } as const;
        const limits = { timeoutMs: requestTimeoutMs(body, timeoutMs), answerBytesMax };
        pool.dispatch(request, receiver(resolve, reject, limits, signal));
      }),
    close: () => pool.close(),
  };
}

function receiver(
  resolve: (answer: HttpAnswer) => void,
  reject: (error: Error) => void,
  { timeoutMs, answerBytesMax }: PosterOptions,
  signal: AbortSignal | undefined,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let head: Pick<HttpAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
  let request: Dispatcher.DispatchController | undefined;
  let stopped: Error | undefined;
  /** A request that still waits for a connection is rejected at once, and is never sent later. */
  const stop = (error: Error) => {
    if (stopped) return;
    stopped = error;
    finish();
    reject(error);
    request?.abort(error);
  };
  const leave = () => stop(gone());
  const timer = setTimeout(() => stop(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  timer.unref();
  signal?.addEventListener('abort', leave, { once: true });
  const finish = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  };
  return {
    onRequestStart(controller) {
      request = controller;
      if (stopped) controller.abort(stopped);
    },
    onResponseStart(_, status, headers) {
      head = { status, headers };
    },
    onResponseData(_, chunk) {
      bytes += chunk.length;
      if (bytes > answerBytesMax) stop(new AnswerTooLargeError(`More than ${answerBytesMax} bytes.`));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      finish();
      resolve({ ...head, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    },
    onResponseError(_, error) {
      finish();
      reject(error);
    },
  };
}

const gone = (): Error => new Error('The client is gone.');
