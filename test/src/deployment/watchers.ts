import { setTimeout as delay } from 'node:timers/promises';
import { createClient as createStreamClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Client } from '../harness/client.ts';
import type { Programme } from './programme.ts';

const ACTIVITY = `subscription ($id: ID!) { memberActivity(memberId: $id) {
  kind pointsTransaction { description } member { name homeStore { name } } } }`;
const LEDGER = `query ($id: ID!) { member(id: $id) { pointsTransactions(first: 100) { nodes { description } } } }`;
const WALLET = 'subscription { walletChanged { available } }';
const PROGRESS =
  'subscription ($id: ID!) { importProgress(id: $id) { status processed inserted finishedAt } }';

const RETRY_MS = 100;

export const transports = ['socket', 'stream'] as const;
export type WatchTransport = (typeof transports)[number];

interface Asked {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

interface Listeners {
  readonly onResult: (data: never) => void;
  /** Called with the errors of a result. */
  readonly onFault: (errors: string) => void;
  /** Called when the connection was cut, before the client subscribes again. */
  readonly onRetry: () => void;
  readonly onEnd?: () => void;
}

/** Subscribes with the usual client library, which reconnects by itself. */
function subscribe(url: string, key: string, transport: WatchTransport, asked: Asked, listeners: Listeners) {
  const authorization = `Bearer ${key}`;
  const again = async () => {
    listeners.onRetry();
    await delay(RETRY_MS);
  };
  const sink = {
    next: (result: unknown) => {
      const { data, errors } = result as { data: never; errors?: unknown };
      if (errors) listeners.onFault(JSON.stringify(errors));
      else listeners.onResult(data);
    },
    error: (error: unknown) => {
      throw new Error(`a subscription failed: ${JSON.stringify(error)}`);
    },
    complete: () => listeners.onEnd?.(),
  };
  const common = { retryAttempts: 1_000 };
  const client =
    transport === 'stream'
      ? createStreamClient({ ...common, url: `${url}/graphql`, headers: { authorization }, retry: again })
      : createSocketClient({
          ...common,
          url: `${url.replace(/^http/, 'ws')}/graphql`,
          webSocketImpl: WebSocket,
          connectionParams: { authorization },
          shouldRetry: () => true,
          retryWait: again,
        });
  client.subscribe(asked, sink);
  return async () => void (await client.dispose());
}

/** A client that watches the points of one member. */
export interface MemberWatcher {
  readonly transport: WatchTransport;
  readonly memberId: string;
  /** Descriptions of the awards that arrived as events or were read from the ledger. */
  readonly seen: ReadonlySet<string>;
  readonly retries: () => number;
  /** The errors of results. */
  readonly faults: readonly string[];
  stop(): Promise<void>;
}

/**
 * Watches a member. It reads the ledger after the first event of a connection: all later events arrive on
 * this connection, and the ledger has the earlier awards.
 */
export function watchMember(
  client: Client,
  { keys: [key] }: Programme,
  memberId: string,
  transport: WatchTransport,
): MemberWatcher {
  const seen = new Set<string>();
  const reads: Promise<void>[] = [];
  const faults: string[] = [];
  let retries = 0;
  let isFirst = true;
  const readLedger = async () => {
    const { data } = await client.graph<LedgerAnswer>(LEDGER, { id: memberId }, key);
    for (const { description } of data.member.pointsTransactions.nodes) seen.add(description);
  };
  const stop = subscribe(
    client.url,
    key,
    transport,
    { query: ACTIVITY, variables: { id: memberId } },
    {
      onResult: ({ memberActivity }: ActivityAnswer) => {
        if (memberActivity.pointsTransaction) seen.add(memberActivity.pointsTransaction.description);
        if (isFirst) reads.push(readLedger());
        isFirst = false;
      },
      onFault: (errors) => void faults.push(errors),
      onRetry: () => {
        retries += 1;
        isFirst = true;
      },
    },
  );
  return {
    transport,
    memberId,
    seen,
    retries: () => retries,
    faults,
    async stop() {
      await Promise.all(reads);
      await stop();
    },
  };
}

interface LedgerAnswer {
  readonly member: { readonly pointsTransactions: { readonly nodes: readonly { description: string }[] } };
}
interface ActivityAnswer {
  readonly memberActivity: { readonly pointsTransaction: { readonly description: string } | null };
}

/** A client that keeps the newest state of a subscription. The first message is the present state. */
export interface StateWatcher<State> {
  readonly latest: () => State | undefined;
  readonly isEnded: () => boolean;
  stop(): Promise<void>;
}

function watchState<State>(
  client: Client,
  key: string,
  transport: WatchTransport,
  asked: Asked,
  stateOf: (data: never) => State,
): StateWatcher<State> {
  let latest: State | undefined;
  let isEnded = false;
  const stop = subscribe(client.url, key, transport, asked, {
    onResult: (data) => {
      latest = stateOf(data);
    },
    onFault: (errors) => {
      throw new Error(`a result has errors: ${errors}`);
    },
    onRetry: () => {},
    onEnd: () => {
      isEnded = true;
    },
  });
  return { latest: () => latest, isEnded: () => isEnded, stop };
}

/** Watches the available credits of the wallet. */
export const watchWallet = (client: Client, { keys: [key] }: Programme, transport: WatchTransport) =>
  watchState(client, key, transport, { query: WALLET }, (data: { walletChanged: { available: string } }) =>
    Number(data.walletChanged.available),
  );

export interface ImportState {
  readonly status: string;
  readonly processed: number;
  readonly inserted: number;
  readonly finishedAt: string | null;
}

/** Watches an import until its end. */
export const watchImport = (
  client: Client,
  { keys: [key] }: Programme,
  id: string,
  transport: WatchTransport,
) =>
  watchState(
    client,
    key,
    transport,
    { query: PROGRESS, variables: { id } },
    (data: { importProgress: ImportState }) => data.importProgress,
  );
