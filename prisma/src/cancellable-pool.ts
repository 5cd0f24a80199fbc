import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { type Cancel, lease, type Taker } from './cancellation.ts';
import type { OperationOptions, TenantScope } from './scoped-prisma.ts';

/**
 * The scope of Prisma's operations in this asynchronous context, their connection, and the signal that ends
 * them.
 */
export interface PrismaRequest extends OperationOptions {
  readonly scope: TenantScope;
  readonly signal?: AbortSignal;
  /** The connection of the transaction. */
  readonly client?: pg.PoolClient;
}
export const prismaRequests = new AsyncLocalStorage<PrismaRequest>();

/** The connection pool of a process; statements can be ended by a signal. */
export class CancellablePool extends pg.Pool {
  readonly #cancel: Cancel;
  /** The signal of the current call, for statements that take their connection synchronously. */
  #signal: AbortSignal | undefined;

  constructor(settings: pg.PoolConfig, cancel: Cancel) {
    super(settings);
    this.#cancel = cancel;
  }

  /** Runs one statement that `signal` can end, without the cost of an asynchronous context. */
  queryUntil(signal: AbortSignal, statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>> {
    this.#signal = signal;
    try {
      return (this as pg.Pool).query(statement);
    } finally {
      this.#signal = undefined;
    }
  }

  /** Takes a connection for several statements, which `signal` can end. */
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

/** Passes the connection of a transaction to one statement of Prisma: it is not released afterwards. */
const borrowed = (client: pg.PoolClient): pg.PoolClient =>
  ({
    query: client.query.bind(client),
    once: client.once.bind(client),
    removeListener: client.removeListener.bind(client),
    release: () => undefined,
  }) as unknown as pg.PoolClient;
