import { type Dispatcher, Pool } from 'undici';

const CONNECTIONS = 32;
const KEEP_ALIVE_MS = 60_000;

/** What is longer brings a file; other requests have 256 KiB and the document around it. */
const FILE_LENGTH = 260 * 1024;
/** So many times as long as others is a request given that brings a file. */
export const FILE_PATIENCE = 10;

/** How long the answer to a request may take. */
export const patienceMs = (body: string, timeoutMs: number): number =>
  body.length > FILE_LENGTH ? FILE_PATIENCE * timeoutMs : timeoutMs;

/** Posts JSON to one address over kept-alive connections. */
export interface Poster {
  /**
   * The answer's body, whatever its status.
   *
   * @throws Error where there is no answer in time, or `signal` aborts
   */
  post(body: string, headers: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/**
 * Works on undici's dispatcher directly: a gateway asks so often that the streams and listeners of its
 * friendlier interfaces cost as much as the rest of a request.
 */
export function createPoster(url: string, timeoutMs: number): Poster {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connectTimeout: timeoutMs,
  });
  const path = pathname + search;
  return {
    post: (body, headers, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(gone());
        const headersTimeout = patienceMs(body, timeoutMs);
        const request = { method: 'POST', path, headers, body, headersTimeout } as const;
        pool.dispatch(request, receiver(resolve, reject, signal));
      }),
    close: () => pool.close(),
  };
}

function receiver(
  resolve: (body: string) => void,
  reject: (error: Error) => void,
  signal: AbortSignal | undefined,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let request: Dispatcher.DispatchController | undefined;
  const stop = () => request?.abort(gone());
  signal?.addEventListener('abort', stop, { once: true });
  return {
    onRequestStart(controller) {
      request = controller;
      if (signal?.aborted) stop();
    },
    onResponseStart() {},
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      signal?.removeEventListener('abort', stop);
      resolve(chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString());
    },
    onResponseError(_, error) {
      signal?.removeEventListener('abort', stop);
      reject(error);
    },
  };
}

const gone = (): Error => new Error('The client is gone.');
