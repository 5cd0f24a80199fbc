import { type Client, createClient } from 'graphql-ws';
import { type ErrorReason, LoyaltyError } from './loyalty-error.ts';

/** What a subscription of the graph yields, by the fields that were selected. */
type Data = Readonly<Record<string, unknown>>;

/** A state that changes until it has ended. */
export interface Progress {
  /** In capitals, such as RUNNING. */
  readonly status: string;
  readonly processed: number;
  readonly failed: number;
}

/** Live events over one socket, which is opened with the first subscription and reconnects by itself. */
export interface LiveEvents {
  /**
   * Runs a subscription of the graph; leaving the loop ends it.
   *
   * @throws LoyaltyError where the subscription is refused
   */
  subscribe<Result extends Data>(query: string, variables?: Data): AsyncIterableIterator<Result>;
  /** An import as it is now and after each change, until it has ended. */
  importProgress(id: string): AsyncIterableIterator<Progress>;
  /** A bulk job as it is now and after each change, until it has ended. */
  bulkJobProgress(id: string): AsyncIterableIterator<Progress>;
  /** Ends all subscriptions and closes the socket. */
  close(): Promise<void>;
}

interface LiveOptions {
  readonly url: string;
  readonly key?: string | undefined;
  readonly webSocket?: unknown;
}

const PROGRESS = {
  importProgress: 'subscription ($id: ID!) { progress: importProgress(id: $id) { status processed failed } }',
  bulkJobProgress:
    'subscription ($id: ID!) { progress: bulkJobProgress(id: $id) { status processed failed } }',
} as const;

/** Live events with one key; nothing is opened yet. */
export function createLive({ url, key, webSocket }: LiveOptions): LiveEvents {
  let socket: Client | null = null;
  const open = (): Client => {
    socket ??= createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      ...(key !== undefined && { connectionParams: { authorization: `Bearer ${key}` } }),
      lazy: true,
      retryAttempts: 10,
      shouldRetry: (failure) => !isRefusal(failure),
      ...(webSocket !== undefined && { webSocketImpl: webSocket }),
    });
    return socket;
  };
  async function* subscribe<Result extends Data>(query: string, variables: Data = {}) {
    const results = open().iterate<Result>({ query, variables: { ...variables } });
    for await (const { data, errors } of failuresAsErrors(results)) {
      if (errors?.[0]) throw refusalOf(errors[0]);
      if (data) yield data;
    }
  }
  async function* progress(kind: keyof typeof PROGRESS, id: string) {
    const results = subscribe<{ progress: Progress }>(PROGRESS[kind], { id });
    for await (const { progress: now } of results) yield now;
  }
  return {
    subscribe,
    importProgress: (id) => progress('importProgress', id),
    bulkJobProgress: (id) => progress('bulkJobProgress', id),
    async close() {
      await socket?.dispose();
      socket = null;
    },
  };
}

/** How a socket is closed whose credential is refused. */
const CREDENTIAL_REFUSED = [4_401, 4_403];

const closeError = ({ code, reason }: CloseOfSocket): LoyaltyError =>
  refusalOf({
    message: `The socket was closed: ${reason} (${code})`,
    extensions: CREDENTIAL_REFUSED.includes(code) ? { reason: 'CREDENTIAL_INVALID' } : {},
  });

interface GraphError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** How a socket was closed. */
interface CloseOfSocket {
  readonly code: number;
  readonly reason: string;
}

const isClose = (failure: unknown): failure is CloseOfSocket =>
  typeof failure === 'object' && failure !== null && 'code' in failure && 'reason' in failure;

/** Codes from 4400 to 4499 say that the same would be refused again. */
const isRefusal = (failure: unknown): boolean =>
  isClose(failure) && failure.code >= 4_400 && failure.code < 4_500;

/** A refusal arrives as a failure of the iterator: a list of errors, or how the socket was closed. */
async function* failuresAsErrors<Result>(results: AsyncIterable<Result>) {
  try {
    yield* results;
  } catch (failure) {
    if (Array.isArray(failure) && failure.length > 0) throw refusalOf(failure[0] as GraphError);
    if (isClose(failure)) throw closeError(failure);
    throw failure;
  }
}

function refusalOf({ message, extensions = {} }: GraphError): LoyaltyError {
  const { reason, requestId } = extensions;
  return new LoyaltyError({
    message,
    reason: typeof reason === 'string' ? (reason as ErrorReason) : 'UNKNOWN',
    status: 200,
    requestId: typeof requestId === 'string' ? requestId : null,
    retryAfterSeconds: null,
  });
}
