import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { type Caller, defaultLimits, systemCaller } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';

/**
 * Runs the product with one member to watch: `subscriptions.process.ts KEYS`. It sends its parent its address
 * and, on request, its resource use. It serves until it gets the message to stop.
 */
export interface Watched {
  readonly url: string;
  /** Keys for the sockets; each may have as many sockets as one credential is allowed. */
  readonly keys: readonly string[];
  readonly memberId: string;
}

export interface ServerUsage {
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly openSubscriptions: number;
}

const dataDir = temporaryDataDir('loyalty-bench-');
const directory = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
await applyMigrations(postgres.url);
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  DATABASE_URL: postgres.url,
  LOYALTY_MASTER_KEYS: `bench:${Buffer.from('thirty-two bytes for the benches').toString('base64')}`,
};
const services = await createServices(
  { ...loadConfig(env, directory), DATABASE_URL: postgres.url },
  'bench',
  { peers: localPeers(subgraphs) },
);
const gateway = await composeGateway(services, localTransports(services));
const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
const watched = await prepare(Number(process.argv[2]));
process.on('message', (message) => void (message === 'stop' ? stop() : sendUsage(message === 'collect')));
process.once('disconnect', () => void stop());
process.send?.(watched);

async function sendUsage(collectsFirst: boolean): Promise<void> {
  if (collectsFirst) globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { values } = await services.metrics.openSubscriptions.get();
  const openSubscriptions = values.reduce((sum, { value }) => sum + value, 0);
  process.send?.({ rssBytes: rss, heapBytes: heapUsed, openSubscriptions } satisfies ServerUsage);
}

async function stop(): Promise<void> {
  await gateway.close();
  await services.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
}

/** Makes a workspace with a member, and keys that may watch the member. */
async function prepare(keyCount: number): Promise<Watched> {
  const anonymous: Caller = { ...systemCaller('bench'), kind: 'ANONYMOUS', scopes: [], modules: [] };
  const { register } = await run<{ register: { id: string; memberships: [{ workspace: { id: string } }] } }>(
    anonymous,
    'mutation ($input: RegisterInput!) { register(input: $input) { id memberships { workspace { id } } } }',
    { email: 'bench@example.com', password: 'a long bench password', name: 'Bench' },
  );
  const scope = { workspaceId: register.memberships[0].workspace.id, mode: 'LIVE' as const };
  const actor = `user:${register.id}`;
  const owner: Caller = {
    ...systemCaller('bench', scope),
    ...{ kind: 'USER', actor, role: 'OWNER', limits: defaultLimits },
  };
  await run(owner, 'mutation ($input: UpdateLimitsInput!) { updateLimits(input: $input) { id } }', {
    requestsPerMinute: 600_000,
  });
  const { createMember } = await run<{ createMember: { id: string } }>(
    owner,
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { email: 'watched@example.com', fullName: 'Watched Member' },
  );
  const keys: string[] = [];
  for (let index = 0; index < keyCount; index += 1) {
    const { createApiKey } = await run<{ createApiKey: { secret: string } }>(
      owner,
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { name: `bench ${index}`, scopes: ['members:read', 'points:write'], mode: 'LIVE' },
    );
    keys.push(createApiKey.secret);
  }
  return { url, keys, memberId: createMember.id };
}

async function run<Data>(caller: Caller, query: string, input: Record<string, unknown>): Promise<Data> {
  const operation = { query, variables: { input } };
  const { data, errors } = await gateway.graph.execute(operation, { caller, requestId: 'bench' });
  if (errors) throw new Error(errors[0]?.message);
  return data as Data;
}
