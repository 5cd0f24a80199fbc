import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, defaultLimits, type Mode, type Role } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import { fixedClock } from '@loyalty/platform/clock';
import type { Context, Peers, Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { loadConfig } from '@loyalty/platform/operations/config';
import { newId } from '@loyalty/platform/values/ids';
import { createDatabase } from '@loyalty/prisma/client';
import { createTestDatabase } from './database/database.ts';

export interface TestServices extends Services {
  readonly clock: ReturnType<typeof fixedClock>;
  /** Text of every SQL statement since it was last emptied. */
  readonly statements: string[];
  readonly url: string;
  close(): Promise<void>;
}

/** All subgraphs of this process, loaded when the first of them is asked. */
const everyPeer: Peers = {
  async ask(...question) {
    const { subgraphs } = await import('@loyalty/cli/subgraphs');
    return localPeers(subgraphs).ask(...question);
  },
  async close() {},
};

/** Everything a process has, over a database of its own and a clock that stands still. */
export async function createTestServices(at = '2026-03-02T10:00:00.000Z'): Promise<TestServices> {
  const { createServices } = await import('@loyalty/platform/services');
  const { url, drop } = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'loyalty-test-'));
  const statements: string[] = [];
  const clock = fixedClock(at);
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: url,
    LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
  };
  const config = { ...loadConfig(env, directory), DATABASE_URL: url };
  const database = createDatabase({ url, poolSize: 10, onStatement: (text) => statements.push(text) });
  const services = await createServices(config, 'test', { database, clock, peers: everyPeer });
  return {
    ...services,
    clock,
    statements,
    url,
    async close() {
      await services.close();
      await drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A caller with every scope and module in a workspace (a new one unless named). */
export function callerOf(
  options: { workspaceId?: string; mode?: Mode; role?: Role | null; actor?: string } = {},
): Caller {
  const workspaceId = options.workspaceId ?? newId({ now: () => new Date() });
  return {
    kind: 'USER',
    workspaceId,
    mode: options.mode ?? 'LIVE',
    actor: options.actor ?? `user:${workspaceId}`,
    role: options.role === undefined ? 'OWNER' : options.role,
    scopes: ['*'],
    modules: ['*'],
    limits: defaultLimits,
  };
}

/** A context as a service gets it. */
export function contextOf(
  services: Services,
  caller: Caller = callerOf(),
  idempotencyKey: string | null = null,
): Context {
  return createContext(services, { caller, requestId: 'test', idempotencyKey });
}
