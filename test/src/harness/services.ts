import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Caller, defaultLimits } from '@loyalty/platform/base/caller';
import { fixedClock } from '@loyalty/platform/base/clock';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { createClosing } from './closing.ts';
import { type Timeouts, takeDatabase } from './database/worker-database.ts';
import { peersWhenAsked } from './peers.ts';

export interface TestServices extends Services {
  readonly clock: ReturnType<typeof fixedClock>;
  /** The text of every SQL statement. A test empties the array to begin a new count. */
  readonly statements: string[];
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the services of a process over a database of its own, with a fixed clock. */
export async function createTestServices(
  at = '2026-03-02T10:00:00.000Z',
  timeouts?: Timeouts,
): Promise<TestServices> {
  const { createServices } = await import('@loyalty/platform/services');
  const { url, connect, drop } = await takeDatabase();
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
  const onStatement = (text: string) => void statements.push(text);
  const database = connect(onStatement, timeouts);
  const services = await createServices(config, 'test', { database, clock, peers: peersWhenAsked });
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

/** A caller who owns a workspace and has every scope and module; `given` replaces parts of it. */
export function callerOf(given: Partial<Caller> = {}): Caller {
  // Does not use `newId`: its time would change the order of other ids that a test makes at the same instant.
  const workspaceId = given.workspaceId ?? randomUUID();
  return {
    kind: 'USER',
    workspaceId,
    mode: 'LIVE',
    actor: `user:${workspaceId}`,
    role: 'OWNER',
    scopes: ['*'],
    modules: ['*'],
    limits: defaultLimits,
    ...given,
  };
}

/** Makes a context like that of a request. */
export function contextOf(
  services: Services,
  caller: Caller = callerOf(),
  idempotencyKey: string | null = null,
): Context {
  return createContext(services, { caller, requestId: 'test', idempotencyKey });
}

export interface UseServicesOptions {
  readonly timeouts?: Timeouts;
  /** The time of the fixed clock at first. Default: 2026-03-02T10:00:00.000Z. */
  readonly at?: string;
  /** The parts of the caller of `ctx` that differ from the default: an owner with every scope and module. */
  readonly caller?: Partial<Caller>;
  /** Whether all tests of the file share one workspace. Default: each test has a new one. */
  readonly isWorkspaceShared?: boolean;
}

/** The services and context of a test file. They are empty until its hooks and tests run. */
export interface UsedServices {
  readonly services: TestServices;
  /** The context of a first request in the workspace of this test. */
  readonly ctx: Context;
  /** Makes the context of another request by the caller of `ctx`; `caller` replaces parts of the caller. */
  fresh(caller?: Partial<Caller>, idempotencyKey?: string | null): Context;
  /** Makes the context of an owner in a new workspace; `caller` replaces parts of the caller. */
  newContext(caller?: Partial<Caller>): Context;
  /** Adds a function that runs before the services are closed; the newest runs first. */
  beforeClose(end: () => unknown): void;
}

/**
 * Opens services over a database of their own before the tests of this file, and closes them afterwards. Call
 * it once at the top of the file, so that later hooks can use `services` and `ctx`.
 */
export function useServices(options: UseServicesOptions = {}): UsedServices {
  const services = {} as TestServices;
  const ctx = {} as Context;
  const closing = createClosing();
  const newContext = (caller?: Partial<Caller>) => contextOf(services, callerOf(caller));
  const enterWorkspace = () => {
    fill(ctx, newContext(options.caller));
  };
  beforeAll(async () => {
    fill(services, await createTestServices(options.at, options.timeouts));
    if (options.isWorkspaceShared) enterWorkspace();
  }, OPEN_TIMEOUT_MS);
  if (!options.isWorkspaceShared) beforeEach(enterWorkspace);
  afterAll(() => closing.run(() => services.close?.()));
  return {
    services,
    ctx,
    newContext,
    fresh: (caller, idempotencyKey) => contextOf(services, { ...ctx.caller, ...caller }, idempotencyKey),
    beforeClose: closing.add,
  };
}

/** The limit is high, because the first file of a run loads all modules. */
export const OPEN_TIMEOUT_MS = 60_000;

/** Copies the properties of `made`, getters included, to an object that the test file already uses. */
export function fill(held: object, made: object): void {
  Object.defineProperties(held, Object.getOwnPropertyDescriptors(made));
}
