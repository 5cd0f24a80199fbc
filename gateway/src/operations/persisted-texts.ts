import { createHash } from 'node:crypto';
import type { Log } from '@loyalty/platform/observe/log';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';

/** Texts of operations by their SHA-256 in hexadecimal. */
export interface KeptTexts {
  get(hash: string): Promise<string | undefined>;
  set(hash: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const TEXTS_MAX = 5_000;
/** Maximum of characters of all texts in memory. */
const CHARACTERS_MAX = 20_000_000;
const KEPT_SECONDS = 24 * 60 * 60;
/** Waiting longer for Redis would take longer than sending the text again. */
const REDIS_TIMEOUT_MS = 500;
const KEY = 'persisted-operation:';

/** Stores texts in memory; the least recently used ones are dropped first. */
export function keptInMemory(): KeptTexts {
  const texts = new LRUCache<string, string>({
    max: TEXTS_MAX,
    maxSize: CHARACTERS_MAX,
    sizeCalculation: (text) => text.length + 1,
  });
  return {
    get: async (hash) => texts.get(hash),
    async set(hash, text) {
      texts.set(hash, text);
    },
    async close() {},
  };
}

/**
 * Stores texts in memory and in Redis, where every gateway finds them for a day after their last use. While
 * Redis is unavailable, clients send their texts again, as the protocol defines.
 */
export function keptInRedis(url: string, log: Log): KeptTexts {
  const memory = keptInMemory();
  const redis = new Redis(url, {
    connectionName: 'loyalty-persisted-operations',
    commandTimeout: REDIS_TIMEOUT_MS,
    enableOfflineQueue: false,
  });
  redis.on('error', (error) =>
    log.warn({ err: error }, 'Redis is away: persisted operations are not shared'),
  );
  const ask = async <T>(command: Promise<T>): Promise<T | null> => command.catch(() => null);
  return {
    async get(hash) {
      const known = await memory.get(hash);
      if (known !== undefined) return known;
      const text = await ask(redis.getex(KEY + hash, 'EX', KEPT_SECONDS));
      // The hash is verified, because others may also write to Redis.
      if (text === null || createHash('sha256').update(text).digest('hex') !== hash) return undefined;
      await memory.set(hash, text);
      return text;
    },
    async set(hash, text) {
      await memory.set(hash, text);
      await ask(redis.set(KEY + hash, text, 'EX', KEPT_SECONDS));
    },
    async close() {
      redis.disconnect();
    },
  };
}
