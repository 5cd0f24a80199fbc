import { type Dispatcher, Pool } from 'undici';

const CONNECTIONS = 32;
const KEEP_ALIVE_MS = 60_000;

/** A longer request brings a file; others have at most 256 KiB and the document. */
const FILE_LENGTH = 260 * 1024;
/** A request that brings a file may take this many times as long. */
export const FILE_TIMEOUT_FACTOR = 10;

/** How long the answer to a request may take; a body of bytes brings no file. */
export const requestTimeoutMs = (body: string | Uint8Array, timeoutMs: number): number =>
  typeof body === 'string' ? timeoutOfLength(body.length, timeoutMs) : timeoutMs;

/** The same by the length of a body of text. */
export const timeoutOfLength = (length: number, timeoutMs: number): number =>
  length > FILE_LENGTH ? FILE_TIMEOUT_FACTOR * timeoutMs : timeoutMs;

/** What came back, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** By name in lower case; several of one name are a list. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Posts to one address over kept-alive connections. */
export interface Poster {
  /**
   * The whole answer.
   *
   * @throws Error where it is not there in time, however long the request waited for a connection and however
   *   slowly it comes, or where `signal` aborts
   * @throws AnswerTooLargeError where it has too many bytes
   */
  post(
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface PosterOptions {
  /** From the request to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Until a connection is open; `timeoutMs` by default. */
  readonly connectTimeoutMs?: number;
}

/** An answer was cut off. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * Works on undici's dispatcher directly: a gateway sends so many requests that the streams and listeners
 * of its other interfaces would cost as much as the rest of a request.
 */
export function createPoster(url: string, options: PosterOptions): Poster {
  const { timeoutMs, answerBytesMax, connectTimeoutMs = timeoutMs } = options;
  const { origin, pathname, search } = new URL(url);
  // A request has one deadline of its own; the pool's would begin anew with every part of it.
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
  /** One that still waits for a connection is given up now, and never sent when it gets one. */
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
