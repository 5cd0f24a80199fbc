import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { type Cancel, lease, type Taker } from './cancellation.ts';
import type { OperationOptions, TenantScope } from './scoped-prisma.ts';

/** Whose rows Prisma reads and writes in this asynchronous context, on which connection, and what ends it. */
export interface PrismaRequest extends OperationOptions {
  readonly scope: TenantScope;
  readonly signal?: AbortSignal;
  /** That of its transaction. */
  readonly client?: pg.PoolClient;
}
export const prismaRequests = new AsyncLocalStorage<PrismaRequest>();

/** The pool of a process; `signal` can end what runs on its connections. */
export class CancellablePool extends pg.Pool {
  readonly #cancel: Cancel;
  /** Of the current call, for statements that take their connection before they return. */
  #signal: AbortSignal | undefined;

  constructor(settings: pg.PoolConfig, cancel: Cancel) {
    super(settings);
    this.#cancel = cancel;
  }

  /** One statement that `signal` ends, without the cost of an asynchronous context. */
  queryUntil(signal: AbortSignal, statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>> {
    this.#signal = signal;
    try {
      return (this as pg.Pool).query(statement);
    } finally {
      this.#signal = undefined;
    }
  }

  /** A connection for many statements, which `signal` ends. */
  take(signal: AbortSignal | undefined): Promise<pg.PoolClient> {
    if (!signal) return super.connect();
    return new Promise((resolve, reject) => {
      this.#lease(signal, true, (error, client) => (error ? reject(error) : resolve(client!)));
    });
  }

  override connect(...[taker]: never[]): never {
    const { client, signal } = prismaRequests.getStore() ?? {};
    const until = this.#signal ?? signal;
    const each = taker as Taker | undefined;
    if (!each || (!client && !until)) return super.connect(taker as never) as never;
    if (client) each(undefined, borrowed(client));
    else this.#lease(until!, false, each);
    return undefined as never;
  }

  #lease(signal: AbortSignal, manyStatements: boolean, taker: Taker): void {
    const connect = (each: Taker) => super.connect(each as never);
    lease(connect, { signal, cancel: this.#cancel, manyStatements }, taker);
  }
}

/** The connection of a transaction, for one statement of Prisma: it is not given back afterwards. */
const borrowed = (client: pg.PoolClient): pg.PoolClient =>
  ({
    query: client.query.bind(client),
    once: client.once.bind(client),
    removeListener: client.removeListener.bind(client),
    release: () => undefined,
  }) as unknown as pg.PoolClient;
