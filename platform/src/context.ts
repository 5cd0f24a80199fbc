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

/** What a process has one of. */
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

/** What every service function gets first: who calls, on what, through which connection. */
export interface Context {
  readonly caller: Caller;
  /**
   * The workspace and mode that every statement is bound to; reading it fails for callers without a
   * workspace.
   */
  readonly scope: Scope;
  /** Rows of the scope, by Prisma. */
  readonly prisma: ScopedPrisma;
  readonly sql: Sql;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: Log;
  /** What is asked of the product, for what serves requests. */
  readonly request: CurrentRequest;
  /** Inside of a transaction: what is written is kept, or lost, with what else it writes. */
  readonly isInTransaction: boolean;
  /**
   * The same request outside of its transaction, for a write that is kept whatever becomes of that one: its
   * SQL goes over connections that transactions cannot use up. It must not wait for what the transaction
   * locks.
   */
  outsideTransaction(): Context;
  /**
   * The same request for its lists and reports, whose SQL reads a replica if there is one: in a query of a
   * client, outside of transactions.
   */
  forLists(): Context;
  /** Loads through a batch shared by all loads of this tick. */
  load<K, V>(loader: Loader<K, V>, key: K): Promise<V | null>;
  /** Drops what was loaded, because a mutation may have changed it. */
  forget(): void;
  /**
   * Runs `work` in one transaction; inside another it joins that one. In a request it is run again where it
   * and another one had waited for each other and PostgreSQL rolled it back.
   */
  transaction<T>(work: (tx: Context) => Promise<T>): Promise<T>;
  /** Writes events: with the commit of the surrounding transaction, or at once outside of one. */
  writeEvents(events: readonly TracedEvent[]): Promise<void>;
  /** Runs once the surrounding transaction is kept, or at once outside of one; failures are logged only. */
  afterCommit(act: () => Promise<void>): void;
  /** The same request as somebody else, the product itself mostly; the Idempotency-Key is not theirs. */
  as(caller: Caller): Context;
}

/** One request, whoever acts in it. */
export interface CurrentRequest {
  readonly requestId: string;
  /** Null for whoever the product acts as. */
  readonly idempotencyKey: string | null;
  /** Network address of the client; personal data, used only for limits and never stored as it is. */
  readonly address: string | null;
  /**
   * The client sent `Sec-GPC: 1` (Global Privacy Control) with this query or mutation: the person objects to
   * being tracked. Subscriptions do not have it.
   */
  readonly hasPrivacySignal: boolean;
  /** Aborted when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** See `Request.deadlineAt`; Infinity where nobody waits for an answer. */
  readonly deadlineAt: number;
  /** How long ago the interruption began after which this subscription goes on, in milliseconds; else 0. */
  readonly missedMs: number;
  /** Whose credentials this request changed, once that is kept: its answer takes them to the gateway. */
  readonly changedCredentials: Set<string>;
  /** Names of mutations that were not done again: the answer is the one that was kept. */
  readonly replayed: Set<string>;
}

/** What a context is made of. */
export interface Request {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey?: string | null;
  readonly address?: string | null;
  /** See `CurrentRequest.hasPrivacySignal`. */
  readonly hasPrivacySignal?: boolean;
  /** It brings a file, and may take ten times as long as others. */
  readonly bringsFile?: boolean;
  /**
   * When its work must have ended for its answer to be in time, by `performance.now()`. Waits for rows end
   * before, so that who waits is answered with the reason.
   */
  readonly deadlineAt?: number;
  /** It writes nothing, nor decides on writes: its lists may be read from a replica. */
  readonly mayReadReplica?: boolean;
  /** Given for work that may be dropped, such as a query: its SQL is cancelled with it. */
  readonly signal?: AbortSignal;
  /** Where `CurrentRequest.replayed` is gathered, for who asks. */
  readonly replayed?: Set<string>;
  /** Of a subscription that goes on after an interruption: how long ago that began, in milliseconds. */
  readonly missedMs?: number;
}

/** A named batch: keys that are loaded in one tick become one call. */
export interface Loader<K, V> {
  readonly batch: (ctx: Context, keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
}

/**
 * How a subgraph queries another one for what it must know before it decides, such as whether a member
 * exists. What it wants another to do it publishes as an event. It calls a mutation only where it needs the
 * answer to go on, such as ids of members, and only an idempotent one: in one process the mutation joins the
 * caller's transaction, but a peer in another process commits before the caller does.
 */
export interface Peers {
  /**
   * The data of the answer, in the caller's workspace and mode.
   *
   * @throws AppError what the peer refuses with; PEER_UNAVAILABLE (503) where it cannot be reached
   */
  ask<Peer extends SubgraphName, Answer, Variables extends object>(
    ctx: Context,
    peer: Peer,
    question: Question<Peer, Answer, Variables>,
    variables: Variables,
  ): Promise<Answer>;
  close(): Promise<void>;
}
