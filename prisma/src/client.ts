import pg from 'pg';
import { CancellablePool, type PrismaRequest, prismaRequests } from './cancellable-pool.ts';
import { copyIn } from './copy/copy-in.ts';
import { namedRows } from './named-rows.ts';
import { openPrisma } from './open-prisma.ts';
import { pipelined, type RunStatement } from './pipeline.ts';
import { type OperationOptions, type ScopedPrisma, scopedPrisma, type TenantScope } from './scoped-prisma.ts';
import { publishStatement, statementName, traceStatement } from './statements.ts';
import { inTransaction, type TakeConnection } from './transaction.ts';

export type { ScopedPrisma, TenantScope } from './scoped-prisma.ts';

/** Hand-written SQL, for statements that Prisma cannot write or that run very often. */
export interface Sql {
  /**
   * Runs one statement; statements are prepared once per connection and text. A column `member_id` becomes
   * `memberId` in the rows.
   */
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** SQL on the connection of a transaction. */
export interface TransactionSql extends Sql {
  /**
   * Runs `COPY … FROM STDIN` with one text or with pieces of `binaryRows`; returns the number of written
   * rows.
   */
  copyIn(text: string, rows: string | Iterable<Buffer>): Promise<number>;
}

/** Prisma and SQL for the same rows. */
export interface Connections {
  prismaIn(scope: TenantScope): ScopedPrisma;
  readonly sql: Sql;
}

/** One connection pool that is shared by Prisma and hand-written SQL. */
export interface Database extends Connections {
  /**
   * SQL on a separate pool of two connections, for writes that are kept even if the caller's transaction is
   * rolled back. With the shared pool, transactions could use up all connections while each waits for another
   * one.
   */
  readonly outsideTransaction: Sql;
  /**
   * Prisma and SQL for work that may be dropped. After an abort of `signal`, PostgreSQL cancels the running
   * statement, and further ones fail unsent, all with QUERY_CANCELED.
   */
  cancellable(signal: AbortSignal): Connections;
  /**
   * Runs `work` in one transaction. Prisma and SQL use the same connection, which is taken for the first
   * statement.
   */
  transaction<T>(work: (tx: Connections) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `work` on one connection without a transaction, for COPY and session locks. */
  connection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Returns the current use of both pools. */
  pools(): Readonly<Record<'shared' | 'outsideTransaction', PoolUse>>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** After its abort, the transaction is rolled back, unless all of its statements have already ended. */
  readonly signal?: AbortSignal | undefined;
  /** Time by `performance.now()` at which waits for locks end. Default: only the lock timeout applies. */
  readonly deadlineAt?: number;
  /**
   * Called after the work has ended. Returns a function for the last statements, which are sent together with
   * `COMMIT`; null if there are none.
   */
  readonly last?: () => ((sql: Sql) => Promise<unknown>) | null;
}

/** The connections of a pool, and the number of waiting calls. */
export interface PoolUse {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Maximum of connections. */
  readonly poolSize?: number;
  /** Time after which the server cancels a statement. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /**
   * Maximum wait for a connection. Afterwards the call fails, because the pool is exhausted or the server
   * unavailable.
   */
  readonly connectionTimeoutMs?: number;
  readonly applicationName?: string;
  /** True if idle connections must not keep the process alive. Default: false. */
  readonly allowExitOnIdle?: boolean;
  /** Called with the text of every statement; tests count statements with it. */
  readonly onStatement?: (text: string) => void;
}

const { builtins } = pg.types;

/**
 * 64-bit integers become bigint, exact numbers and days text, so that nothing is rounded or shifted to a time
 * zone.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, String],
  [builtins.DATE, String],
]);
/** Parsers for values of rows. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format)) as never,
};

function sqlOver(run: RunStatement): Sql {
  return {
    async query(text, params = []) {
      publishStatement(text);
      const values = params as unknown[];
      const statement = { text, values, name: statementName(text), types, rowMode: 'array' } as const;
      return namedRows(await traceStatement(text, () => run(statement)));
    },
  };
}

/**
 * Statements are published when they are requested, because the caller is unknown once a connection is
 * available.
 */
const transactionSql = (connection: TakeConnection): TransactionSql => ({
  query(text, params) {
    const client = connection();
    return sqlOver(async (statement) => (await client).query(statement)).query(text, params);
  },
  copyIn(text, rows) {
    const client = connection();
    publishStatement(text);
    return traceStatement(text, async () => copyIn(await client, text, rows));
  },
});

const sqlOn = (queryable: pg.Pool | pg.PoolClient): Sql => sqlOver((statement) => queryable.query(statement));

const sqlUntil = (pool: CancellablePool, signal: AbortSignal): Sql =>
  sqlOver(
    pipelined({
      alone: (statement) => pool.queryUntil(signal, statement),
      take: () => pool.take(signal),
    }),
  );

const LOCK_TIMEOUT_MS = 1_000;

/** Returns the remaining time if it is shorter than the usual timeout, otherwise null. */
const shorterThan = (timeoutMs: number, leftMs: number): number | null =>
  leftMs < timeoutMs ? Math.max(1, Math.floor(leftMs)) : null;

const lastOn = (write: ((sql: Sql) => Promise<unknown>) | null) =>
  write && ((client: pg.PoolClient) => write(sqlOn(client)));

async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const useOf = (pool: pg.Pool): PoolUse => ({
  max: pool.options.max,
  inUse: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/**
 * Creates the pool. It connects with the first statement.
 *
 * @param options.poolSize - default 8
 * @param options.connectionTimeoutMs - default 5,000
 * @param options.statementTimeoutMs - default 3,000; the lock timeout is 1,000
 */
export function createDatabase(options: DatabaseOptions): Database {
  const lockTimeoutMs = options.lockTimeoutMs ?? LOCK_TIMEOUT_MS;
  const connecting = connectionSettings({ ...options, lockTimeoutMs });
  const outsidePool = new pg.Pool({ ...connecting, max: 2 });
  const pool = new CancellablePool({ ...connecting, max: options.poolSize ?? 8 }, (backendPid) =>
    outsidePool.query('SELECT pg_cancel_backend($1)', [backendPid]),
  );
  for (const each of [pool, outsidePool]) listenTo(each, options.onStatement);
  const prisma = openPrisma(pool);
  const prismaOf = (request: Omit<PrismaRequest, keyof OperationOptions>) =>
    scopedPrisma(prisma.load, (start, options) => prismaRequests.run({ ...request, ...options }, start));
  return {
    prismaIn: (scope) => prismaOf({ scope }),
    sql: sqlOn(pool),
    outsideTransaction: sqlOn(outsidePool),
    cancellable: (signal) => ({
      prismaIn: (scope) => prismaOf({ scope, signal }),
      sql: sqlUntil(pool, signal),
    }),
    transaction: (work, { signal, last, deadlineAt = Number.POSITIVE_INFINITY } = {}) =>
      inTransaction({
        take: () => pool.take(signal),
        lockTimeoutMs: () => shorterThan(lockTimeoutMs, deadlineAt - performance.now()),
        last: () => lastOn(last?.() ?? null),
        signal,
        work: (connection) =>
          work({
            prismaIn: (scope) =>
              scopedPrisma(prisma.load, async (start, options) =>
                prismaRequests.run({ scope, ...options, client: await connection() }, start),
              ),
            sql: transactionSql(connection),
          }),
      }),
    connection: (work) => withConnection(pool, work),
    pools: () => ({ shared: useOf(pool), outsideTransaction: useOf(outsidePool) }),
    async close() {
      await prisma.close();
      await Promise.all([pool.end(), outsidePool.end()]);
    },
  };
}

function connectionSettings(options: DatabaseOptions & { readonly lockTimeoutMs: number }): pg.PoolConfig {
  const settings = [
    `statement_timeout=${options.statementTimeoutMs ?? 3_000}`,
    `lock_timeout=${options.lockTimeoutMs}`,
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
    allowExitOnIdle: options.allowExitOnIdle ?? false,
    // The first statement of a transaction does not wait for the answer to BEGIN.
    pipeline: true,
  };
}

function listenTo(pool: pg.Pool, onStatement: DatabaseOptions['onStatement']): void {
  // A dead connection is replaced at its next use, and its statement fails. Without listeners on the pool,
  // and on each connection between two uses, the event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (onStatement) pool.on('connect', (client) => report(client, onStatement));
}

function report(client: pg.PoolClient, onStatement: (text: string) => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const first = args[0] as string | { text: string };
    onStatement(typeof first === 'string' ? first : first.text);
    return query(...args);
  }) as never;
}
