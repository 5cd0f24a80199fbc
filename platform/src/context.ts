import type { Connections, Database, Prisma, Sql } from '@loyalty/prisma/client';
import type { Caller, Scope } from './caller/caller.ts';
import type { Clock } from './clock.ts';
import type { Keyring } from './crypto/keyring.ts';
import { unauthenticated } from './errors.ts';
import type { Peers } from './graph/peers.ts';
import type { Live } from './live/live.ts';
import { createLoaders, type Loader } from './loading/loaders.ts';
import type { Config } from './operations/config.ts';
import type { Log } from './operations/log.ts';
import type { Metrics } from './operations/metrics.ts';
import type { HttpClient } from './outbound/http-client.ts';
import type { Mailer } from './outbound/mail.ts';

/** What a process has one of. */
export interface Services {
  readonly config: Config;
  readonly database: Database;
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
  readonly prisma: Prisma;
  readonly sql: Sql;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Network address of the client; personal data, used only for limits and never stored as it is. */
  readonly address: string | null;
  /** Aborted when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** Whose credentials this request changed, once that is kept: its answer takes them to the gateway. */
  readonly changedCredentials: Set<string>;
  /** Inside of a transaction: what is written is kept, or lost, with what else it writes. */
  readonly isInTransaction: boolean;
  /**
   * The same request outside of its transaction, for a write that is kept whatever becomes of that one: its
   * SQL goes over connections that transactions cannot use up. It must not wait for what the transaction
   * locks.
   */
  outsideTransaction(): Context;
  /** Loads through a batch shared by all loads of this tick. */
  load<K, V>(loader: Loader<K, V>, key: K): Promise<V | null>;
  /** Drops what was loaded, because a mutation may have changed it. */
  forget(): void;
  /** Runs `work` in one transaction; inside another it joins that one. */
  transaction<T>(work: (tx: Context) => Promise<T>): Promise<T>;
  /** Runs once the surrounding transaction is kept, or at once outside of one; failures are logged only. */
  afterCommit(act: () => Promise<void>): void;
  /** The same request as somebody else, the product itself mostly; the Idempotency-Key is not theirs. */
  as(caller: Caller): Context;
}

export interface Request {
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey?: string | null;
  readonly address?: string | null;
  /** It brings a file, and may take ten times as long as others. */
  readonly bringsFile?: boolean;
  /** Given for work that may be dropped, such as a query: its SQL is cancelled with it. */
  readonly signal?: AbortSignal;
}

const never = new AbortController().signal;

/** A context outside of any transaction. */
export function createContext(services: Services, request: Request): Context {
  const { database } = services;
  const connections = request.signal ? database.cancellable(request.signal) : database;
  return build(services, request, connections, { committed: null, changedCredentials: new Set() });
}

/** What the contexts of one request have in common. */
interface Shared {
  /** What runs once the transaction is kept; null outside of one. */
  readonly committed: (() => Promise<void>)[] | null;
  readonly changedCredentials: Set<string>;
}

function build(services: Services, request: Request, connections: Connections, shared: Shared): Context {
  const { caller, requestId } = request;
  const { committed, changedCredentials } = shared;
  const { log, database } = services;
  const run = (act: () => Promise<void>) => {
    act().catch((error: unknown) => log.warn({ err: error, requestId }, 'act after commit failed'));
  };
  const ctx: Context = {
    caller,
    get scope() {
      return scopeOf(caller);
    },
    prisma: connections.prisma,
    sql: connections.sql,
    services,
    clock: services.clock,
    log,
    requestId,
    idempotencyKey: request.idempotencyKey ?? null,
    address: request.address ?? null,
    signal: request.signal ?? never,
    changedCredentials,
    isInTransaction: committed !== null,
    outsideTransaction: () =>
      build(
        services,
        { caller, requestId },
        { ...database, sql: database.outsideTransaction },
        { ...shared, committed: null },
      ),
    load: (declared, key) => loaders.load(declared, key),
    forget: () => loaders.forget(),
    async transaction(work) {
      if (committed) return work(ctx);
      const acts: (() => Promise<void>)[] = [];
      const result = await database.transaction(
        (tx) => work(build(services, request, tx, { ...shared, committed: acts })),
        request.signal,
      );
      for (const act of acts) run(act);
      return result;
    },
    afterCommit: (act) => (committed ? void committed.push(act) : run(act)),
    as: (other) => build(services, { ...request, caller: other, idempotencyKey: null }, connections, shared),
  };
  const loaders = createLoaders(ctx);
  return ctx;
}

function scopeOf(caller: Caller): Scope {
  if (!caller.workspaceId) {
    throw unauthenticated(
      'CREDENTIAL_MISSING',
      'Send an API key or a session token in the Authorization header.',
    );
  }
  return { workspaceId: caller.workspaceId, mode: caller.mode };
}
