import { join } from 'node:path';
import { createDatabase } from '@loyalty/prisma/client';
import { MINUTE_MS, systemClock } from './base/clock.ts';
import { type Config, ConfigError } from './config/config.ts';
import type { Services } from './context.ts';
import { createKeyring } from './crypto/keyring.ts';
import { openReplica } from './database/open-replica.ts';
import { remotePeers } from './graph/peers.ts';
import { callerSecrets, subgraphUrl } from './identity/subgraph-addresses.ts';
import { createLive } from './live/create-live.ts';
import { createLog } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import { createHttpClient } from './outbound/http-client.ts';
import { createMailer } from './outbound/mail.ts';

/**
 * Shorter than the statement timeout, so that a statement that waits for a lock fails with the lock timeout.
 */
const LOCK_TIMEOUT_MS_MAX = 2_500;

/**
 * Creates the shared objects of a process. Only live events connect before their first use.
 *
 * @param name - name of the process in logs and in PostgreSQL's activity view
 * @param parts - replacements of single parts, for tests
 */
export async function createServices(
  config: Config & { readonly DATABASE_URL: string },
  name: string,
  parts: Partial<Services> = {},
): Promise<Services & { close(): Promise<void> }> {
  const log = parts.log ?? createLog({ level: config.LOG_LEVEL, name });
  const database =
    parts.database ??
    createDatabase({
      url: config.DATABASE_URL,
      ...(config.DATABASE_POOL_SIZE && { poolSize: config.DATABASE_POOL_SIZE }),
      applicationName: `loyalty-${name}`,
      connectionTimeoutMs: config.SUBGRAPH_TIMEOUT_MS / 2,
      lockTimeoutMs: Math.min(config.SUBGRAPH_TIMEOUT_MS / 2, LOCK_TIMEOUT_MS_MAX),
    });
  const metrics = watched(parts.metrics ?? createMetrics(), database);
  const live =
    parts.live ?? createLive({ redisUrl: config.REDIS_URL, databaseUrl: config.DATABASE_URL, log });
  await readyInTime(live, config);
  const replica = parts.replica ?? openReplica({ config, name, primary: database.sql, metrics, log });
  const http = parts.http ?? createHttpClient({ allow: config.OUTBOUND_ALLOW });
  const mailer =
    parts.mailer ??
    createMailer({
      ...(config.MAIL_URL && { url: config.MAIL_URL }),
      from: config.MAIL_FROM,
      directory: join(config.dataDir, 'mail'),
    });
  const peers = parts.peers ?? peersAt(config);
  return {
    config,
    database,
    replica,
    live,
    log,
    http,
    mailer,
    keyring:
      parts.keyring ?? createKeyring({ masterKeys: config.masterKeys, sql: database.outsideTransaction }),
    metrics,
    peers,
    clock: parts.clock ?? systemClock,
    async close() {
      await Promise.all([live.close(), http.close(), mailer.close(), peers.close()]);
      await replica?.close();
      await database.close();
    },
  };
}

/** Timeout of statements, locks and answers in unattended work. */
const UNATTENDED_MS = 10 * MINUTE_MS;
const UNATTENDED_CONNECTIONS = 4;

/**
 * Returns the same services without the deadlines of requests. For work without a client that must not fail
 * on a slow machine, such as the demo. `close` closes the pool that is opened for it.
 */
export function unattendedServices<
  S extends Services & { readonly config: Config & { readonly DATABASE_URL: string } },
>(services: S): { services: S; close(): Promise<void> } {
  const config = { ...services.config, SUBGRAPH_TIMEOUT_MS: UNATTENDED_MS };
  const database = createDatabase({
    url: config.DATABASE_URL,
    poolSize: UNATTENDED_CONNECTIONS,
    applicationName: 'loyalty-unattended',
    connectionTimeoutMs: UNATTENDED_MS,
    statementTimeoutMs: UNATTENDED_MS,
    lockTimeoutMs: UNATTENDED_MS,
  });
  const keyring = createKeyring({ masterKeys: config.masterKeys, sql: database.outsideTransaction });
  return { services: { ...services, config, database, keyring }, close: () => database.close() };
}

const peersAt = (config: Config): Services['peers'] =>
  remotePeers({
    url: (name) => `${subgraphUrl(config, name)}/graphql`,
    secrets: callerSecrets(config),
    timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
    answerBytesMax: config.SUBGRAPH_ANSWER_BYTES_MAX,
  });

function watched(metrics: Services['metrics'], database: Services['database']): Services['metrics'] {
  metrics.watchPools('requests', database);
  return metrics;
}

/** Long, because a process that starts on a busy machine needs seconds for itself. */
const LIVE_READY_MS = 15_000;

async function readyInTime(live: Services['live'], { REDIS_URL }: Config): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const where = REDIS_URL
      ? 'Redis cannot be reached: check REDIS_URL'
      : 'The database cannot be listened to: check DATABASE_URL';
    timer = setTimeout(() => reject(new ConfigError(`${where} and that it runs there.`)), LIVE_READY_MS);
  });
  try {
    await Promise.race([live.ready(), late]);
  } catch (error) {
    await live.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
