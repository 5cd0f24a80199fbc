import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQueryable } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { PrismaClient } from '../generated/client.ts';
import type { TransactionClient } from '../generated/internal/prismaNamespace.ts';
import { cancellablePrisma } from './cancellable-prisma.ts';
import { asCancelled, type Cancel, lease, type Taker } from './cancellation.ts';
import { copyIn } from './copy.ts';
import { publishStatement, statementName, traceStatement } from './statements.ts';

/** Prisma's typed access to the tables; inside a transaction it is bound to that transaction. */
export type Prisma = Omit<TransactionClient, '$transaction'>;

/** SQL by hand, for statements that Prisma cannot write or that run hot. */
export interface Sql {
  /** Runs one statement; statements are prepared once per connection and text. */
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** SQL on one connection that a transaction holds. */
export interface TransactionSql extends Sql {
  /** Runs `COPY … FROM STDIN` on rows in its text format and returns how many were written. */
  copyIn(text: string, rows: string): Promise<number>;
}

/** Two ways to the same rows. */
export interface Connections {
  readonly prisma: Prisma;
  readonly sql: Sql;
}

/** One connection pool that Prisma and hand-written SQL share. */
export interface Database extends Connections {
  /**
   * SQL on two connections of its own, for what is kept whatever becomes of the caller's transaction. Were it
   * the shared pool, transactions that need it could hold every connection while they wait for one more.
   */
  readonly outsideTransaction: Sql;
  /**
   * Prisma and SQL for work that may be dropped: once `signal` aborts, PostgreSQL cancels the statement that
   * runs and the others fail unsent, all as QUERY_CANCELED. Only Prisma's `findUnique` runs on to its end.
   */
  cancellable(signal: AbortSignal): Connections;
  /**
   * Runs `work` in one transaction: Prisma and SQL use the same connection. Once `signal` aborts, the
   * transaction can only be rolled back, or kept when all its statements have ended.
   */
  transaction<T>(work: (tx: Connections) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs `work` on one pinned connection without a transaction, for COPY and session locks. */
  connection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** How its two pools are used right now. */
  pools(): Readonly<Record<'shared' | 'outsideTransaction', PoolUse>>;
  close(): Promise<void>;
}

/** Connections of a pool, and those who wait for one. */
export interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize?: number;
  /** A statement that runs longer is cancelled by the server. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** Who gets no connection in this time fails: the pool is exhausted, or the server away. */
  readonly connectionTimeoutMs?: number;
  readonly applicationName?: string;
  /** Called with the text of every statement; tests count with it. */
  readonly onStatement?: (text: string) => void;
}

const { builtins } = pg.types;

/** 64-bit integers as bigint, exact numbers and days as text: nothing is rounded or moved to a time zone. */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, String],
  [builtins.DATE, String],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as never,
};

/** What connections are taken from the pool for in this asynchronous context. */
interface ConnectionRequest {
  readonly signal?: AbortSignal | undefined;
  /** The connection of the Prisma transaction that is being opened. */
  client?: pg.PoolClient | undefined;
}
const connectionRequests = new AsyncLocalStorage<ConnectionRequest>();

class SharedPool extends pg.Pool {
  readonly #cancel: Cancel;
  /** That of the current call, for statements that take their connection before they return. */
  #request: ConnectionRequest | undefined;

  constructor(settings: pg.PoolConfig, cancel: Cancel) {
    super(settings);
    this.#cancel = cancel;
  }

  /** One statement that `signal` ends, without the cost of an asynchronous context. */
  queryUntil(signal: AbortSignal, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#request = { signal };
    try {
      return (this as pg.Pool).query(statement);
    } finally {
      this.#request = undefined;
    }
  }

  override connect(...[taker]: never[]): never {
    const request = this.#request ?? connectionRequests.getStore();
    if (!request) return super.connect(taker as never) as never;
    const { signal } = request;
    const connect = (each: Taker) => super.connect(each as never);
    const take = (each: Taker) => {
      if (!signal) return connect(each);
      return lease(connect, { signal, cancel: this.#cancel, manyStatements: !taker }, each);
    };
    if (taker) return take(taker) as never;
    return new Promise((resolve, reject) => {
      take((error, client) => {
        request.client = client;
        return error ? reject(error) : resolve(client);
      });
    }) as never;
  }
}

function sqlOver(run: (statement: pg.QueryConfig) => Promise<pg.QueryResult>): Sql {
  return {
    async query(text, params = []) {
      publishStatement(text);
      const statement = { text, values: params as unknown[], name: statementName(text), types };
      const result = await traceStatement(text, () => run(statement));
      return result.rows;
    },
  };
}

const transactionSql = (client: pg.PoolClient): TransactionSql => ({
  ...sqlOn(client),
  copyIn(text, rows) {
    publishStatement(text);
    return traceStatement(text, () => copyIn(client, text, rows));
  },
});

const sqlOn = (queryable: pg.Pool | pg.PoolClient): Sql => sqlOver((statement) => queryable.query(statement));

const useOf = (pool: pg.Pool): PoolUse => ({
  max: pool.options.max,
  inUse: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/**
 * Opens the pool lazily: nothing connects before the first statement.
 *
 * @param options.poolSize - default 8
 * @param options.connectionTimeoutMs - default 5,000
 * @param options.statementTimeoutMs - default 3,000; lock time-out 1,000
 */
export function createDatabase(options: DatabaseOptions): Database {
  const connecting = connectionSettings(options);
  const outsidePool = new pg.Pool({ ...connecting, max: 2 });
  const pool = new SharedPool({ ...connecting, max: options.poolSize ?? 8 }, (backendPid) =>
    outsidePool.query('SELECT pg_cancel_backend($1)', [backendPid]),
  );
  for (const each of [pool, outsidePool]) {
    // A connection that dies is replaced at its next use, and what it was doing fails by itself. Without a
    // listener on the pool, and on each connection for the moments between two owners, the process would end.
    each.on('error', () => undefined);
    each.on('connect', (client) => client.on('error', () => undefined));
    if (options.onStatement) each.on('connect', (client) => report(client, options.onStatement!));
  }

  const prisma = new PrismaClient({
    adapter: adapterOver(pool),
    errorFormat: 'minimal',
    // The pool gives up first: its error says why.
    transactionOptions: { maxWait: connecting.connectionTimeoutMillis! + 1_000, timeout: 30_000 },
  });
  return {
    prisma,
    sql: sqlOn(pool),
    outsideTransaction: sqlOn(outsidePool),
    cancellable(signal) {
      const request = { signal };
      const within = <T>(work: () => T) => connectionRequests.run(request, work);
      return {
        prisma: cancellablePrisma(prisma, signal, within),
        sql: sqlOver((statement) => pool.queryUntil(signal, statement)),
      };
    },
    transaction: (work, signal) => inTransaction(prisma, work, signal),
    async connection(work) {
      const client = await (pool as pg.Pool).connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    },
    pools: () => ({ shared: useOf(pool), outsideTransaction: useOf(outsidePool) }),
    async close() {
      await prisma.$disconnect();
      await Promise.all([pool.end(), outsidePool.end()]);
    },
  };
}

function adapterOver(pool: pg.Pool): PrismaPg {
  const adapter = new PrismaPg(pool, {
    statementNameGenerator({ sql }) {
      publishStatement(sql);
      return statementName(sql);
    },
  });
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async () => {
    const connected = traced(await connect());
    const startTransaction = connected.startTransaction.bind(connected);
    connected.startTransaction = async (level) => traced(await startTransaction(level));
    return connected;
  };
  return adapter;
}

/** The same, with every statement shown to who traces statements. */
function traced<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const { queryRaw, executeRaw } = queryable;
  queryable.queryRaw = (query) => traceStatement(query.sql, () => queryRaw.call(queryable, query));
  queryable.executeRaw = (query) => traceStatement(query.sql, () => executeRaw.call(queryable, query));
  return queryable;
}

function connectionSettings(options: DatabaseOptions): pg.PoolConfig {
  const settings = [
    `statement_timeout=${options.statementTimeoutMs ?? 3_000}`,
    `lock_timeout=${options.lockTimeoutMs ?? 1_000}`,
    'random_page_cost=1.1',
    'timezone=UTC',
    'idle_in_transaction_session_timeout=30000',
  ];
  return {
    connectionString: options.url,
    application_name: options.applicationName ?? 'loyalty',
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: options.connectionTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  };
}

/** Prisma opens the transaction; the connection that it takes meanwhile also carries the SQL by hand. */
async function inTransaction<T>(
  prisma: PrismaClient,
  work: (tx: Connections) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const request: ConnectionRequest = { signal };
  const open = () =>
    prisma.$transaction(async (tx) => {
      const { client } = request;
      if (!client) throw new Error('The transaction opened without a connection of the shared pool.');
      return connectionRequests.exit(() => work({ prisma: tx, sql: transactionSql(client) }));
    });
  try {
    return await connectionRequests.run(request, open);
  } catch (error) {
    throw signal ? asCancelled(error) : error;
  }
}

function report(client: pg.PoolClient, onStatement: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const first = args[0] as string | { text: string };
    onStatement(typeof first === 'string' ? first : first.text);
    return query(...args);
  }) as never;
}
