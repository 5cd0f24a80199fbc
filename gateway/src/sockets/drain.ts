import { SECOND_MS } from '@loyalty/platform/base/clock';
import type { Bounds } from './bounds.ts';
import { type Connection, endConnection, isBetweenAnswers } from './connection.ts';

/** Ends all connections in limited time during a shutdown. */
interface Drain {
  /** True after `begin` was called. */
  readonly isDraining: boolean;
  /**
   * Ends all connections: those with a query or mutation after its answer, others at once. Resolves when all
   * are closed.
   */
  begin(): Promise<void>;
  /** Called when an operation of the connection has ended. */
  operationEnded(connection: Connection): void;
  /** Called when a connection is closed. */
  closed(): void;
}

export function createDrain(open: ReadonlySet<Connection>, { drainMs, closingMs }: Bounds): Drain {
  const emptied = Promise.withResolvers<void>();
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    async begin() {
      isDraining = true;
      for (const connection of [...open]) endBetweenAnswers(connection);
      const endAllTimer = setTimeout(() => endAll(open), drainMs);
      const giveUpTimer = setTimeout(emptied.resolve, drainMs + closingMs + SECOND_MS);
      if (open.size > 0) await emptied.promise;
      clearTimeout(endAllTimer);
      clearTimeout(giveUpTimer);
    },
    operationEnded(connection) {
      // Deferred, because the client must first receive `complete`; otherwise it would send the operation
      // again.
      if (isDraining) setImmediate(() => endBetweenAnswers(connection));
    },
    closed() {
      if (isDraining && open.size === 0) emptied.resolve();
    },
  };
}

function endBetweenAnswers(connection: Connection): void {
  if (isBetweenAnswers(connection)) endConnection(connection, 'GOING_AWAY');
}

function endAll(connections: Iterable<Connection>): void {
  for (const connection of [...connections]) endConnection(connection, 'GOING_AWAY');
}
