import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** Who wrote lately, as every process sees it. */
export interface LastWrites {
  /** Notes that everything this actor wrote is committed. */
  note(actor: string): Promise<void>;
  /** A name for the actor's last write, another one for each; null if there was none lately. */
  find(actor: string): Promise<string | null>;
  close(): void;
}

/** A list waits for it. */
const COMMAND_TIMEOUT_MS = 250;

/**
 * Keeps last writes in Redis.
 *
 * @param keptMs - how long a write is remembered
 */
export function createLastWrites(redisUrl: string, keptMs: number): LastWrites {
  const redis = new Redis(redisUrl, {
    connectionName: 'loyalty-last-writes',
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: (failed) => Math.min(2_000, 100 * failed),
  });
  // Each failed command says so itself; without a listener it would end the process.
  redis.on('error', () => undefined);
  const keyOf = (actor: string) => `last-write:${actor}`;
  return {
    async note(actor) {
      await redis.set(keyOf(actor), randomUUID(), 'PX', keptMs);
    },
    find: (actor) => redis.get(keyOf(actor)),
    close: () => redis.disconnect(),
  };
}
