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
  /** Text of every SQL statement since it was last emptied. */
  readonly statements: string[];
  readonly url: string;
  close(): Promise<void>;
}

/** Everything a process has, over a database of its own and a clock that stands still. */
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

/** An owner with every scope and module in a workspace of their own, but for what is given. */
export function callerOf(given: Partial<Caller> = {}): Caller {
  // Not by `newId`: an id of another time would break the order of those that a test makes at one instant.
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

/** A context as a service gets it. */
export function contextOf(
  services: Services,
  caller: Caller = callerOf(),
  idempotencyKey: string | null = null,
): Context {
  return createContext(services, { caller, requestId: 'test', idempotencyKey });
}

export interface UseServicesOptions {
  readonly timeouts?: Timeouts;
  /** Where the clock stands at first. Default 2026-03-02T10:00:00.000Z. */
  readonly at?: string;
  /** What is special about the caller of `ctx`. Default: an owner with every scope and module. */
  readonly caller?: Partial<Caller>;
  /** One workspace for all tests of the file. Default: a new one for each test. */
  readonly isWorkspaceShared?: boolean;
}

/** What a test file works with; `services` and `ctx` are filled in when its hooks and tests run. */
export interface UsedServices {
  readonly services: TestServices;
  /** The first request in the workspace of this test. */
  readonly ctx: Context;
  /** One more request of the caller of `ctx`, but for what is given. */
  fresh(caller?: Partial<Caller>, idempotencyKey?: string | null): Context;
  /** A request of an owner in a workspace of their own, but for what is given. */
  newContext(caller?: Partial<Caller>): Context;
  /** Ends what the file has started over these services; the latest goes first. */
  beforeClose(end: () => unknown): void;
}

/**
 * Opens services over a database of their own before the tests of this file, and closes them afterwards. Call
 * it once, at the top of the file: later hooks find `services` and `ctx` ready.
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

/** The first file of a run may wait for all modules to be read. */
export const OPEN_TIMEOUT_MS = 60_000;

/** Gives an object that a test file holds already the properties of another, getters included. */
export function fill(held: object, made: object): void {
  Object.defineProperties(held, Object.getOwnPropertyDescriptors(made));
}
