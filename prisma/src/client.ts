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

/** SQL by hand, for statements that Prisma cannot write or that run hot. */
export interface Sql {
  /**
   * Runs one statement; statements are prepared once per connection and text. A column `member_id` is
   * `memberId` in its rows.
   */
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** SQL on one connection that a transaction holds. */
export interface TransactionSql extends Sql {
  /** Runs `COPY … FROM STDIN` on one text or on pieces of `binaryRows`; returns how many were written. */
  copyIn(text: string, rows: string | Iterable<Buffer>): Promise<number>;
}

/** Two ways to the same rows. */
export interface Connections {
  prismaIn(scope: TenantScope): ScopedPrisma;
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
   * runs and the others fail unsent, all as QUERY_CANCELED.
   */
  cancellable(signal: AbortSignal): Connections;
  /**
   * Runs `work` in one transaction: Prisma and SQL use the same connection, which is taken for the first
   * statement.
   */
  transaction<T>(work: (tx: Connections) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Runs `work` on one pinned connection without a transaction, for COPY and session locks. */
  connection<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** How its two pools are used right now. */
  pools(): Readonly<Record<'shared' | 'outsideTransaction', PoolUse>>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /** Once it aborts, the transaction can only be rolled back, or kept when all its statements have ended. */
  readonly signal?: AbortSignal | undefined;
  /** Waits for locks end by then, by `performance.now()`. Default: they only end by the lock time-out. */
  readonly deadlineAt?: number;
  /** Asked when the work has ended: what writes the rest, which travels with `COMMIT`; null: nothing. */
  readonly last?: () => ((sql: Sql) => Promise<unknown>) | null;
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
  /** True: idle connections do not keep the process alive. Default: false. */
  readonly allowExitOnIdle?: boolean;
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
/** How values of rows are read. */
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

/** A statement is shown when it is asked for: once its connection is there, nobody knows its caller. */
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

/** What is left of the time where that is less than the usual time-out; else null. */
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
 * Opens the pool lazily: nothing connects before the first statement.
 *
 * @param options.poolSize - default 8
 * @param options.connectionTimeoutMs - default 5,000
 * @param options.statementTimeoutMs - default 3,000; lock time-out 1,000
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
    // A transaction's first statement does not wait for the answer to its BEGIN.
    pipeline: true,
  };
}

function listenTo(pool: pg.Pool, onStatement: DatabaseOptions['onStatement']): void {
  // A connection that dies is replaced at its next use, and what it was doing fails by itself. Without a
  // listener on the pool, and on each connection for the moments between two owners, the process would end.
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
