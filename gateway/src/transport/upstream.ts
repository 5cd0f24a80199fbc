import { slowConsumer } from '@loyalty/platform/base/errors';
import { pushIterator } from '@loyalty/platform/base/iterators';
import type { Request } from '@loyalty/platform/context';
import type { SubgraphRequest } from '@loyalty/platform/graph/subgraph';
import { type Named, saysSnapshots, saysStarted } from '@loyalty/platform/graph/subscription-protocol';
import type { SigningSecrets } from '@loyalty/platform/identity/caller-token';
import type { Log } from '@loyalty/platform/observe/log';
import { asSnapshots } from '@loyalty/platform/subscriptions/snapshots';
import type { ExecutionResult } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import { shareSnapshots } from './snapshot-sharing.ts';
import { awayResult, type Results, type Transport } from './transport.ts';
import { createUpstreamSocket, type UpstreamSocket } from './upstream-socket.ts';

/** Maximum of waiting results per subscription. */
const WAITING_MAX = 256;
/**
 * Time for which a new subscription waits for its subgraph; longer than the waits between attempts to
 * connect.
 */
const START_MS = 5_000;
/** Age of events that may be lost when a subgraph closes the socket. */
const CLOSED_MS = 5_000;
/** Age of events that may be lost when a socket is found dead, which takes a ping. */
const VANISHED_MS = 25_000;
/** Close code of a server that stops. */
const GOING_AWAY = 1_001;

/** The gateway's socket to a subgraph in another process; there is one for all subscriptions. */
export interface Upstream {
  /**
   * Starts a subscription. Returns an iterator of results, whose `return()` ends it at the subgraph, or the
   * refusal. Never rejects: if the subgraph is unavailable for 5 s, the result is an UNAVAILABLE error. After
   * an interruption, running subscriptions are restarted, and our subgraphs send the missed events. If more
   * than 256 results wait, the subscription ends with SLOW_CONSUMER as the last result. Equal subscriptions
   * of one caller to snapshots share one subscription at the subgraph.
   */
  subscribe(request: SubgraphRequest, from: Request): Promise<Results | ExecutionResult>;
  close(): Promise<void>;
}

interface UpstreamOptions {
  /** Name of the subgraph. */
  readonly name: string;
  /** URL of the subgraph over HTTP; its socket has the same address. */
  readonly url: string;
  /** Keys that sign that the client is the gateway; foreign subgraphs need no signature. */
  readonly secrets?: SigningSecrets | undefined;
  readonly log: Log;
}

/**
 * Creates an upstream. Its socket opens with the first subscription and closes a second after the last one.
 */
export function createUpstream({ name, url, secrets, log }: UpstreamOptions): Upstream {
  const closing = new AbortController();
  const running = new Map<Results, Interruption>();
  const socket = createUpstreamSocket({
    url,
    secrets,
    closing: closing.signal,
    onLost(closed) {
      sharing.interrupt();
      if (running.size > 0) log.warn({ subgraph: name, ...closed }, 'subscriptions are interrupted');
      for (const interruption of running.values())
        interruption.begin(closed.code === GOING_AWAY ? CLOSED_MS : VANISHED_MS);
    },
  });
  const open: Transport['subscribe'] = (request, from) => {
    const interruption = createInterruption();
    const message = messageOf(request, from, secrets, interruption);
    const { results, started } = start(socket, { name, message, interruption }, () => {
      running.delete(results);
      from.signal?.removeEventListener('abort', end);
    });
    const end = () => void results.return!();
    running.set(results, interruption);
    from.signal?.addEventListener('abort', end, { once: true });
    if (from.signal?.aborted) end();
    return started;
  };
  const sharing = shareSnapshots(open);
  return {
    // Foreign subgraphs do not announce snapshots.
    subscribe: secrets ? sharing.subscribe : open,
    async close() {
      closing.abort();
      // Rejects if the subgraph is unavailable at this moment.
      await Promise.resolve(socket.client.dispose()).catch(() => undefined);
      await Promise.all([...running.keys()].map((results) => results.return!()));
    },
  };
}

/** Whether a started subscription waits for its restart, and since when. */
interface Interruption {
  /** @param beforeMs - how long before this moment events may have been lost */
  begin(beforeMs: number): void;
  /** The subscription has started, for the first time or again. */
  end(): void;
  /** Returns the maximum age of a lost event; 0 if none was lost. */
  missedMs(): number;
}

function createInterruption(): Interruption {
  let hasStarted = false;
  let since: number | null = null;
  return {
    begin(beforeMs) {
      if (hasStarted) since ??= performance.now() - beforeMs;
    },
    end() {
      hasStarted = true;
      since = null;
    },
    missedMs: () => (since === null ? 0 : Math.ceil(performance.now() - since)),
  };
}

function messageOf(
  { query, operationName, variables }: SubgraphRequest,
  { caller, requestId, address = null }: Request,
  secrets: SigningSecrets | undefined,
  interruption: Interruption,
): SubscribePayload {
  // The client library sends the same message at each connection; the getter is read then.
  const named: Named = {
    caller,
    requestId,
    address,
    get missedMs() {
      return interruption.missedMs();
    },
  };
  return {
    query,
    ...(operationName && { operationName }),
    ...(variables && { variables }),
    ...(secrets && { extensions: named }),
  };
}

interface Starting {
  /** Name of the subgraph. */
  readonly name: string;
  readonly message: SubscribePayload;
  readonly interruption: Interruption;
}

/** A subscription that is starting: `started` is its results, or the refusal. */
function start(
  { client, whenOpen }: UpstreamSocket,
  { name, message, interruption }: Starting,
  onEnd: () => void,
): { results: Results; started: Promise<Results | ExecutionResult> } {
  const started = Promise.withResolvers<Results | ExecutionResult>();
  const results = pushIterator<ExecutionResult>({ max: WAITING_MAX, onEnd: release });
  const isOurs = message.extensions !== undefined;
  let isStarted = false;
  const begin = () => {
    isStarted = true;
    interruption.end();
    clearTimeout(late);
    started.resolve(results);
  };
  /** Ends the subscription with a last result; with the refusal if it has not started. */
  const finish = (last: ExecutionResult) => {
    started.resolve(last);
    results.end(last);
  };
  const late = setTimeout(() => finish(awayResult(name, 'is away')), START_MS);
  // Our subgraphs send a message at the start, also after an interruption; foreign ones send none.
  const stopWaiting = isOurs ? () => {} : whenOpen(begin);
  const unsubscribe = client.subscribe(message, {
    next(next) {
      const result = next as ExecutionResult;
      if (isOurs && saysStarted(result)) {
        if (saysSnapshots(result)) asSnapshots(results);
        begin();
      } else if (!isStarted) finish(result);
      else if (!results.push(result)) finish(slowResult());
    },
    error: (reason) => finish(Array.isArray(reason) ? { errors: reason } : awayResult(name, 'is away')),
    complete: () => (isStarted ? results.end() : finish(awayResult(name, 'is away'))),
  });
  return { results, started: started.promise };

  function release(): void {
    clearTimeout(late);
    stopWaiting();
    started.resolve(results);
    unsubscribe();
    onEnd();
  }
}

function slowResult(): ExecutionResult {
  const { message, category, code } = slowConsumer(WAITING_MAX);
  return { errors: [{ message, extensions: { code: category, reason: code } } as never] };
}
