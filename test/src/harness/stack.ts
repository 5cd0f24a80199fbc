import { afterAll, beforeAll } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import type { Config } from '@loyalty/platform/config/config';
import { startWorker, type Worker } from '@loyalty/worker/worker';
import { type Client, clientOf } from './client.ts';
import { createClosing } from './closing.ts';
import type { Timeouts } from './database/worker-database.ts';
import { createTestServices, fill, OPEN_TIMEOUT_MS, type TestServices } from './services.ts';

/** An owner, and their credentials. */
interface SignedUp {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
}

/** The whole product in this process, behind a real port and over a database of its own. */
export interface Stack extends Client {
  readonly services: TestServices;
  /** Registers an account with a new workspace and signs it in. */
  signUp(name?: string): Promise<SignedUp>;
  /** Makes an API key in the workspace of the signed-in user. */
  key(
    token: string,
    scopes?: readonly string[],
    mode?: 'LIVE' | 'TEST',
  ): Promise<{ id: string; secret: string }>;
  /** Enables a module in the workspace of the signed-in owner. It counts for older and newer keys. */
  enable(token: string, module: string): Promise<void>;
  /** Starts a worker, which stops with the stack. */
  work(): Promise<Worker>;
  close(): Promise<void>;
}

/** The engine of the gateway: the tests of both must have the same results. */
const GATEWAY_ENGINE: Config['GATEWAY_ENGINE'] =
  process.env['LOYALTY_TEST_ENGINE'] === 'apollo' ? 'apollo' : 'compiled';

/** A timeout longer than the default, so that a test of something else does not fail on a busy machine. */
const REQUEST_MS = 30_000;

/**
 * Starts a stack. By default its clock starts at the real time, because sessions and keys are checked against
 * it.
 */
export async function createStack(
  at = new Date().toISOString(),
  settings: Partial<Config> = {},
  timeouts?: Timeouts,
): Promise<Stack> {
  const made = await createTestServices(at, timeouts);
  const config = { ...made.config, GATEWAY_ENGINE, SUBGRAPH_TIMEOUT_MS: REQUEST_MS, ...settings };
  const services = { ...made, config };
  const gateway = await composeGateway(services, localTransports(services));
  const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  let worker: Worker | undefined;
  const stack: Stack = {
    services,
    ...clientOf(url),
    signUp: (name) => signUp(stack, name),
    key: (token, scopes, mode) => createKey(stack, token, scopes, mode),
    enable: (token, module) => enable(stack, token, module),
    async work() {
      worker ??= await startWorker({
        ...services,
        config: { ...services.config, DATABASE_URL: services.url, GATEWAY_URL: url },
      });
      return worker;
    },
    async close() {
      await gateway.close();
      await worker?.stop();
      await services.close();
    },
  };
  return stack;
}

export interface UseStackOptions {
  /** The time of the fixed clock at first. Default: now. */
  readonly at?: string;
  readonly settings?: Partial<Config>;
  readonly timeouts?: Timeouts;
}

/** A stack that is empty until hooks and tests run. */
export interface UsedStack extends Stack {
  /** Adds a function that runs before the stack is closed; the newest runs first. */
  beforeClose(end: () => unknown): void;
}

/**
 * Opens a stack before the tests of this file and closes it afterwards. Call it at the top of the file, so
 * that later hooks can use it.
 */
export function useStack({ at, settings, timeouts }: UseStackOptions = {}): UsedStack {
  const closing = createClosing();
  const stack = { beforeClose: closing.add } as UsedStack;
  beforeAll(async () => fill(stack, await createStack(at, settings, timeouts)), OPEN_TIMEOUT_MS);
  afterAll(() => closing.run(() => stack.close?.()));
  return stack;
}

let people = 0;

async function signUp(stack: Stack, name = 'Ada Owner'): Promise<SignedUp> {
  people += 1;
  const email = `owner.${process.pid}.${people}@example.com`;
  const password = `a long password ${people}`;
  const registered = await stack.rest('POST', '/api/v2/auth/register', { body: { email, password, name } });
  if (registered.status !== 201) throw new Error(`register: ${JSON.stringify(registered.body)}`);
  const { body } = await stack.rest('POST', '/api/v2/auth/login', { body: { email, password } });
  const { data } = await stack.graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    body.token,
  );
  return { token: body.token, email, password, workspaceId: data.viewer.workspace.id };
}

/** Every scope that a v2 integration may hold. */
const v2Scopes = [
  'members:read',
  'members:write',
  'points:write',
  'coupons:read',
  'coupons:write',
  'captures:read',
  'captures:write',
  'receipts:read',
  'receipts:write',
  'orders:read',
  'orders:write',
  'catalog:read',
  'catalog:write',
  'imports:write',
  'objects:read',
  'objects:write',
  'ambassador:read',
  'ambassador:write',
  'test_data:purge',
  'stores:read',
  'stores:write',
  'custom_fields:read',
  'metrics:read',
  'keys:manage',
];

async function createKey(
  stack: Stack,
  token: string,
  scopes: readonly string[] = v2Scopes,
  mode = 'LIVE',
): Promise<{ id: string; secret: string }> {
  const { data, errors } = await stack.graph<{ createApiKey: { secret: string; apiKey: { id: string } } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { name: 'test', scopes, mode } },
    token,
  );
  if (errors) throw new Error(`createApiKey: ${JSON.stringify(errors)}`);
  return { id: data.createApiKey.apiKey.id, secret: data.createApiKey.secret };
}

async function enable(stack: Stack, token: string, module: string): Promise<void> {
  const { errors } = await stack.graph(
    'mutation ($key: String!) { setModule(key: $key, enabled: true) { key } }',
    { key: module },
    token,
  );
  if (errors) throw new Error(`setModule: ${JSON.stringify(errors)}`);
}
