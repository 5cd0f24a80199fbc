import { type Client, createClient } from 'graphql-ws';
import { type Subscriptions, subscriptionArguments } from '../generated/subscriptions.ts';
import { type ErrorReason, LoyaltyError } from './loyalty-error.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The name of a subscription of the graph. */
export type SubscriptionName = keyof Subscriptions;
type Payload<Name extends SubscriptionName> = Subscriptions[Name]['payload'];

/** A type of the graph with its own fields. */
interface Node {
  readonly __typename: string;
}
type Item<Type> = NonNullable<Type> extends readonly (infer Each)[] ? Item<Each> : NonNullable<Type>;

/** Fields of a type: `true` for a value, a selection for a type with its own fields. */
export type Selection<Type> = {
  readonly [Key in keyof Type]?: Item<Type[Key]> extends Node ? Selection<Item<Type[Key]>> : true;
};

/** The selection, restricted to existing fields. */
type Known<Type, Chosen> = {
  readonly [Key in keyof Chosen]: Key extends keyof Type
    ? Item<Type[Key]> extends Node
      ? Known<Item<Type[Key]>, Chosen[Key]>
      : true
    : never;
};

/** The received fields of a type for a selection. */
export type SelectedFields<Type, Chosen> = {
  readonly [Key in keyof Chosen & keyof Type]: Value<Type[Key], Chosen[Key]>;
};
type Value<Type, Chosen> = Chosen extends true
  ? Type
  : Type extends null
    ? null
    : Type extends readonly (infer Each)[]
      ? readonly Value<Each, Chosen>[]
      : SelectedFields<Type, Chosen>;

/** A state that changes until its end. */
export interface Progress {
  /** In capital letters, such as RUNNING. */
  readonly status: string;
  readonly processed: number;
  readonly failed: number;
}

/** Live events over one socket, which is opened with the first subscription and reconnects automatically. */
export interface LiveEvents {
  /**
   * Yields the events of a subscription with the selected fields; leaving the loop ends the subscription.
   *
   * @throws LoyaltyError if the subscription is refused
   * @example
   * for await (const { kind } of client.live.subscribe('memberActivity', { memberId }, { kind: true }))
   *   console.log(kind);
   */
  subscribe<Name extends SubscriptionName, const Chosen extends Selection<Payload<Name>>>(
    name: Name,
    args: Subscriptions[Name]['args'],
    selection: Chosen & Known<Payload<Name>, Chosen>,
  ): AsyncIterableIterator<SelectedFields<Payload<Name>, Chosen>, undefined>;
  /**
   * Like `subscribe`, for your own document, whose result type you declare.
   *
   * @throws LoyaltyError if the subscription is refused
   */
  subscribeDocument<Result extends Variables>(
    document: string,
    variables?: Variables,
  ): AsyncIterableIterator<Result, undefined>;
  /** The current state of an import, and its state after each change until its end. */
  importProgress(id: string): AsyncIterableIterator<Progress, undefined>;
  /** The current state of a bulk job, and its state after each change until its end. */
  bulkJobProgress(id: string): AsyncIterableIterator<Progress, undefined>;
  /** Ends all subscriptions and closes the socket. */
  close(): Promise<void>;
}

interface LiveOptions {
  readonly url: string;
  readonly key?: string | undefined;
  readonly webSocket?: unknown;
}

const PROGRESS = { status: true, processed: true, failed: true } as const;

/** Creates live events for one key; no connection is opened yet. */
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
  async function* subscribeDocument<Result extends Variables>(
    query: string,
    variables: Variables = {},
  ): AsyncGenerator<Result, undefined> {
    const results = open().iterate<Result>({ query, variables: { ...variables } });
    for await (const { data, errors } of failuresAsErrors(results)) {
      if (errors?.[0]) throw refusalOf(errors[0]);
      if (data) yield data;
    }
    return undefined;
  }
  async function* subscribe(name: SubscriptionName, args: Variables, selection: object) {
    const document = documentOf(name, args, selection);
    for await (const data of subscribeDocument(document, args)) yield data[name];
  }
  const live: LiveEvents = {
    subscribe: subscribe as LiveEvents['subscribe'],
    subscribeDocument,
    importProgress: (id) => live.subscribe('importProgress', { id }, PROGRESS),
    bulkJobProgress: (id) => live.subscribe('bulkJobProgress', { id }, PROGRESS),
    async close() {
      await socket?.dispose();
      socket = null;
    },
  };
  return live;
}

/** Returns the document of a subscription with the given arguments. */
function documentOf(name: SubscriptionName, args: Variables, selection: object): string {
  const types: Readonly<Record<string, string>> = subscriptionArguments[name];
  const given = Object.keys(args).filter((key) => args[key] !== undefined);
  const list = (text: (key: string) => string) => (given.length > 0 ? `(${given.map(text).join(', ')})` : '');
  const declared = list((key) => `$${key}: ${types[key]}`);
  return `subscription ${declared} { ${name}${list((key) => `${key}: $${key}`)} ${fieldsOf(selection)} }`;
}

const fieldsOf = (selection: object): string =>
  `{ ${Object.entries(selection)
    .filter(([, chosen]) => chosen)
    .map(([key, chosen]) => (chosen === true ? key : `${key} ${fieldsOf(chosen as object)}`))
    .join(' ')} }`;

/** Close codes of a socket whose credential is refused. */
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

/** The reason for which a socket was closed. */
interface CloseOfSocket {
  readonly code: number;
  readonly reason: string;
}

const isClose = (failure: unknown): failure is CloseOfSocket =>
  typeof failure === 'object' && failure !== null && 'code' in failure && 'reason' in failure;

/** Codes from 4400 to 4499 mean that a retry would be refused again. */
const isRefusal = (failure: unknown): boolean =>
  isClose(failure) && failure.code >= 4_400 && failure.code < 4_500;

/**
 * Converts failures of the iterator to LoyaltyError. A failure is a list of errors, or the close event of the
 * socket.
 */
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
