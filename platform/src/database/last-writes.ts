import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** Recent writes of each actor, shared by all processes. */
export interface LastWrites {
  /** Records that all writes of this actor so far are committed. */
  note(actor: string): Promise<void>;
  /**
   * Returns an id of the actor's last write, which changes with each write; null if there is no recent one.
   */
  find(actor: string): Promise<string | null>;
  close(): void;
}

/** Timeout of a Redis command; a list waits for it. */
const COMMAND_TIMEOUT_MS = 250;

/**
 * Stores last writes in Redis.
 *
 * @param keptMs - time until a write is forgotten
 */
export function createLastWrites(redisUrl: string, keptMs: number): LastWrites {
  const redis = new Redis(redisUrl, {
    connectionName: 'loyalty-last-writes',
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    retryStrategy: (failed) => Math.min(2_000, 100 * failed),
  });
  // Each failed command reports itself; without a listener, the event would end the process.
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
