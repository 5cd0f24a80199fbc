import type { Database, ScopedPrisma, Sql } from '@loyalty/prisma/client';
import type { Caller, Scope } from './base/caller.ts';
import type { Clock } from './base/clock.ts';
import type { Question } from './base/questions.ts';
import type { SubgraphName } from './base/subgraph-name.ts';
import type { Config } from './config/config.ts';
import type { Keyring } from './crypto/keyring.ts';
import type { TracedEvent } from './database/outbox.store.ts';
import type { Replica } from './database/replica.ts';
import type { Live } from './live/live.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { HttpClient } from './outbound/http-client.ts';
import type { Mailer } from './outbound/mail.ts';

/** The shared objects of a process; each exists once. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
  /** Null without DATABASE_REPLICA_URL. */
  readonly replica: Replica | null;
  readonly keyring: Keyring;
  readonly live: Live;
  readonly http: HttpClient;
  readonly mailer: Mailer;
  readonly metrics: Metrics;
  readonly peers: Peers;
  readonly log: Log;
  readonly clock: Clock;
}

/** The first argument of every service function: the caller, the services, and the connection. */
export interface Context {
  readonly caller: Caller;
  /**
   * Workspace and mode that every statement is bound to. Reading it fails for callers without a workspace.
   */
  readonly scope: Scope;
  /** Prisma Client for rows of the scope. */
  readonly prisma: ScopedPrisma;
  readonly sql: Sql;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: Log;
  /** The current request. */
  readonly request: CurrentRequest;
  /** True inside a transaction: all writes are committed together or not at all. */
  readonly isInTransaction: boolean;
  /**
   * Returns the same request outside of its transaction, for a write that is kept even if the transaction is
   * rolled back. Its SQL uses connections that transactions cannot exhaust. It must not wait for locks of the
   * transaction.
   */
  outsideTransaction(): Context;
  /**
   * Returns the same request for lists and reports. In a client's query outside of transactions, its SQL
   * reads a replica if there is one.
   */
  forLists(): Context;
  /** Loads a value in one batch with all other loads of this tick. */
  load<K, V>(loader: Loader<K, V>, key: K): Promise<V | null>;
  /** Drops all loaded values, because a mutation may have changed them. */
  forget(): void;
  /**
   * Runs `work` in one transaction; inside another transaction, it joins that one. In a request, `work` is
   * run again if PostgreSQL rolled the transaction back because of a deadlock or a serialization failure.
   */
  transaction<T>(work: (tx: Context) => Promise<T>): Promise<T>;
  /** Writes events together with the commit of the surrounding transaction, or at once outside of one. */
  writeEvents(events: readonly TracedEvent[]): Promise<void>;
  /**
   * Runs `act` after the surrounding transaction is committed, or at once outside of one; failures are only
   * logged.
   */
  afterCommit(act: () => Promise<void>): void;
  /** Returns the same request as another caller, mostly the system. The Idempotency-Key is not passed on. */
  as(caller: Caller): Context;
}

/** One request, independent of the caller that acts in it. */
export interface CurrentRequest {
  readonly requestId: string;
  /** Null for any caller other than the original one. */
  readonly idempotencyKey: string | null;
  /** Network address of the client. Personal data: used only for limits and never stored in plain text. */
  readonly address: string | null;
  /**
   * The client sent `Sec-GPC: 1` (Global Privacy Control) with this query or mutation: the person objects to
   * being tracked. Subscriptions do not have it.
   */
  readonly hasPrivacySignal: boolean;
  /** Aborted when the client disconnects or the time limit is over. */
  readonly signal: AbortSignal;
  /** See `Request.deadlineAt`; Infinity if no client waits for an answer. */
  readonly deadlineAt: number;
  /**
   * For a subscription that continues after an interruption: milliseconds since the interruption began;
   * otherwise 0.
   */
  readonly missedMs: number;
  /**
   * Subjects whose credentials this request changed. After the commit, the answer reports them to the
   * gateway.
   */
  readonly changedCredentials: Set<string>;
  /** Names of mutations that were not run again, because a stored answer was returned. */
  readonly replayed: Set<string>;
}

/** The input of `createContext`. */
export interface Request {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey?: string | null;
  readonly address?: string | null;
  /** See `CurrentRequest.hasPrivacySignal`. */
  readonly hasPrivacySignal?: boolean;
  /** True if the request carries a file; then it may take ten times as long. */
  readonly bringsFile?: boolean;
  /**
   * Time by `performance.now()` at which the work must have ended for the answer to be in time. Waits for
   * rows end earlier, so that the caller still receives the reason.
   */
  readonly deadlineAt?: number;
  /** True if the request writes nothing and no write depends on it: its lists may be read from a replica. */
  readonly mayReadReplica?: boolean;
  /** For work that may be dropped, such as a query: its SQL is cancelled when the signal aborts. */
  readonly signal?: AbortSignal;
  /** Collects `CurrentRequest.replayed` for the creator of the context. */
  readonly replayed?: Set<string>;
  /** For a subscription that continues after an interruption: milliseconds since the interruption began. */
  readonly missedMs?: number;
}

/** A named batch: keys that are requested in one tick are loaded by one call. */
export interface Loader<K, V> {
  readonly batch: (ctx: Context, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
}

/**
 * Queries of one subgraph to another, for data that a decision needs, such as whether a member exists. A
 * change in another subgraph is requested by an event instead. A mutation is called only if its answer is
 * needed to continue, such as the ids of members, and only if it is idempotent: in one process the mutation
 * joins the caller's transaction, but a peer in another process commits before the caller does.
 */
export interface Peers {
  /**
   * Returns the data of the answer, for the caller's workspace and mode.
   *
   * @throws AppError the refusal of the peer; PEER_UNAVAILABLE (503) if the peer cannot be reached
   */
  ask<Peer extends SubgraphName, Answer, Variables extends object>(
    ctx: Context,
    peer: Peer,
    question: Question<Peer, Answer, Variables>,
    variables: Variables,
  ): Promise<Answer>;
  close(): Promise<void>;
}
