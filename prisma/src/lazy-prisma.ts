import type { TransactionClient } from '../generated/internal/prismaNamespace.ts';
import { asCancelled } from './cancellation.ts';

/** Prisma's typed access to the tables; inside a transaction it is bound to that transaction. */
export type Prisma = Omit<TransactionClient, '$transaction'>;

/** Starts an operation so that it takes the right connection. */
export type Within = (start: () => Promise<unknown>) => Promise<unknown>;

type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Prisma answers these, asked by several requests in one tick, with one statement of one of them. */
const SHARED = /^findUnique/;

/**
 * Prisma's client, which is loaded by its first operation: it takes 100 MB. Each operation starts `within`,
 * and once only, whether or not somebody waits for it.
 */
export function lazyPrisma(load: () => Promise<object>, within: Within): Prisma {
  const run = (find: (client: object) => Promise<unknown>): Promise<unknown> =>
    within(async () => find(await load())).catch((error: unknown) => {
      throw asCancelled(error);
    });
  return named((name): unknown => {
    if (name.startsWith('$'))
      return (...args: unknown[]) => run((client) => (client as Methods)[name]!(...args));
    return named((action) => (...args: unknown[]) => {
      if (SHARED.test(action)) throw new Error(`Use findFirst: ${action} is shared between requests.`);
      return run((client) => (client as Readonly<Record<string, Methods>>)[name]![action]!(...args));
    });
  }) as unknown as Prisma;
}

/** An object that makes its properties from their names. */
const named = <Property>(make: (name: string) => Property): Readonly<Record<string, Property>> =>
  new Proxy({}, { get: (_, name) => (typeof name === 'symbol' ? undefined : make(name)) });
