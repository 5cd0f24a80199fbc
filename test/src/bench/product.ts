import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { type Caller, defaultLimits, systemCaller } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { createDatabase } from '@loyalty/prisma/client';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';

type Variables = Readonly<Record<string, unknown>>;

/** The whole product over a database of its own, with one workspace whose limits no measure reaches. */
export interface BenchProduct {
  readonly url: string;
  readonly databaseUrl: string;
  /** Settings for another process that uses the same database. */
  readonly env: NodeJS.ProcessEnv;
  /** The `postmaster.pid` of PostgreSQL; its first line is the id of the first process. */
  readonly pidFile: string;
  readonly services: Services;
  readonly workspaceId: string;
  readonly owner: Caller;
  /** Runs an operation as the owner of the workspace; throws the first error. */
  run(query: string, variables: Variables): Promise<Record<string, unknown>>;
  /** Makes an API key and returns its secret. */
  key(scopes: readonly string[]): Promise<string>;
  /** Makes an API key of another workspace and returns its secret. */
  foreignKey(scopes: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

interface ProductOptions {
  readonly fsync?: boolean;
  readonly onStatement?: (text: string) => void;
}

/**
 * Starts the product in this process, without a worker.
 *
 * @param options.fsync - true: PostgreSQL waits for the disk, as in production; default false
 * @param options.onStatement - called with the text of every statement
 */
export async function startProduct({
  fsync = false,
  onStatement,
}: ProductOptions = {}): Promise<BenchProduct> {
  const dataDir = temporaryDataDir('loyalty-bench-');
  const directory = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, fsync });
  await applyMigrations(postgres.url);
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'error',
    DATABASE_URL: postgres.url,
    LOYALTY_MASTER_KEYS: `bench:${Buffer.from('thirty-two bytes for the benches').toString('base64')}`,
  };
  const config = { ...loadConfig(env, directory), DATABASE_URL: postgres.url };
  const services = await createServices(config, 'bench', {
    peers: localPeers(subgraphs),
    ...(onStatement && { database: createDatabase({ url: postgres.url, onStatement }) }),
  });
  const gateway = await composeGateway(services, localTransports(services));
  const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
  const execute: Execute = async (caller, query, variables) => {
    const { data, errors } = await gateway.graph.execute(
      { query, variables },
      { caller, requestId: 'bench' },
    );
    if (errors) throw new Error(errors[0]?.message);
    return data as Record<string, unknown>;
  };
  const owner = await signUp(execute, 'bench@example.com');
  return {
    url,
    databaseUrl: postgres.url,
    env,
    pidFile: join(dataDir, 'cluster', 'postmaster.pid'),
    services,
    workspaceId: owner.workspaceId!,
    owner,
    run: (query, variables) => execute(owner, query, variables),
    key: (scopes) => createKey(execute, owner, scopes),
    foreignKey: async (scopes) => createKey(execute, await signUp(execute, 'other@example.com'), scopes),
    async close() {
      await gateway.close();
      await services.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Execute = (caller: Caller, query: string, variables: Variables) => Promise<Record<string, unknown>>;

/** Makes a workspace with limits that no measure reaches. */
async function signUp(execute: Execute, email: string): Promise<Caller> {
  const anonymous: Caller = { ...systemCaller('bench'), kind: 'ANONYMOUS', scopes: [], modules: [] };
  const account = { email, password: 'a long bench password', name: 'Bench' };
  const { register } = await execute(
    anonymous,
    'mutation ($input: RegisterInput!) { register(input: $input) { id memberships { workspace { id } } } }',
    { input: account },
  );
  const { id, memberships } = register as {
    id: string;
    memberships: [{ workspace: { id: string } }];
  };
  const owner: Caller = {
    ...systemCaller('bench', { workspaceId: memberships[0].workspace.id, mode: 'LIVE' }),
    kind: 'USER',
    actor: `user:${id}`,
    role: 'OWNER',
    limits: defaultLimits,
  };
  const input = {
    requestsPerMinute: 600_000,
    modelRequestsPerMinute: 600_000,
    valueWritesPerMinute: 600_000,
    recordWritesPerMinute: 600_000,
  };
  await execute(owner, 'mutation ($input: UpdateLimitsInput!) { updateLimits(input: $input) { id } }', {
    input,
  });
  return { ...owner, limits: { ...defaultLimits, ...input } };
}

async function createKey(execute: Execute, owner: Caller, scopes: readonly string[]): Promise<string> {
  const { createApiKey } = await execute(
    owner,
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'bench', scopes, mode: 'LIVE' } },
  );
  return (createApiKey as { secret: string }).secret;
}
