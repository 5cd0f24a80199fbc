import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDoors, localTransports } from '@loyalty/cli/compose-process';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { storeById, storesPage } from '@loyalty/commerce-subgraph/stores/stores.store';
import { type Caller, defaultLimits, systemCaller } from '@loyalty/platform/caller';
import { loadConfig } from '@loyalty/platform/config';
import { createContext, type Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/peers';
import { createServices } from '@loyalty/platform/services';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded-postgres';
import { applyMigrations } from '@loyalty/prisma/migrate';
import { temporaryDataDir } from '@loyalty/prisma/postgres-data-dir';
import fastify from 'fastify';
import pg from 'pg';

/**
 * Two servers over one database: the product, and a bare handler that runs the same SQL and sends the same
 * JSON. Prints their addresses as one line of JSON and serves until it is told to stop.
 */
const STORES = 200;
const PAGE = 50;

const dataDir = temporaryDataDir('loyalty-bench-');
const directory = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
await applyMigrations(postgres.url);
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  DATABASE_URL: postgres.url,
  LOYALTY_MASTER_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
};
const services = await createServices(
  { ...loadConfig(env, directory), DATABASE_URL: postgres.url },
  'bench',
  { peers: localPeers(subgraphs) },
);
const gateway = await createDoors(services, localTransports(services));
const product = await gateway.app.listen({ port: 0, host: '127.0.0.1' });

const { secret, workspaceId } = await prepare();
const statements = await sameSql(services, workspaceId);
const bare = await bareServer();
process.stdout.write(`${JSON.stringify({ product, bare: bare.url, secret, ids: statements.ids })}\n`);

process.once('SIGTERM', async () => {
  await gateway.close();
  await bare.close();
  await services.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
});

/** A workspace with a key and stores, made through the graph. */
async function prepare(): Promise<{ secret: string; workspaceId: string }> {
  const anonymous: Caller = { ...systemCaller('bench'), kind: 'ANONYMOUS', scopes: [], modules: [] };
  const run = async (
    caller: Caller,
    query: string,
    variables: Record<string, unknown>,
  ): Promise<Record<string, never>> => {
    const { data, errors } = await gateway.graph.execute(
      { query, variables },
      { caller, requestId: 'bench' },
    );
    if (errors) throw new Error(errors[0]?.message);
    return data as Record<string, never>;
  };
  const account = { email: 'bench@example.com', password: 'a long bench password', name: 'Bench' };
  const { register } = await run(
    anonymous,
    'mutation ($input: RegisterInput!) { register(input: $input) { id memberships { workspace { id } } } }',
    { input: account },
  );
  const { id: accountId, memberships } = register as unknown as {
    id: string;
    memberships: [{ workspace: { id: string } }];
  };
  const scope = { workspaceId: memberships[0].workspace.id, mode: 'LIVE' as const };
  const owner: Caller = {
    ...systemCaller('bench', scope),
    kind: 'USER',
    actor: `user:${accountId}`,
    role: 'OWNER',
    limits: defaultLimits,
  };
  await run(owner, 'mutation ($input: UpdateLimitsInput!) { updateLimits(input: $input) { id } }', {
    input: { requestsPerMinute: 600_000 },
  });
  for (let index = 0; index < STORES; index += 1) {
    const input = { name: `Store ${index}`, address: `${index} Long Street`, latitude: 40, longitude: -8 };
    await run(owner, 'mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }', { input });
  }
  const created = await run(
    owner,
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'bench', scopes: ['stores:read'], mode: 'LIVE' } },
  );
  return {
    secret: (created as unknown as { createApiKey: { secret: string } }).createApiKey.secret,
    workspaceId: scope.workspaceId,
  };
}

interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** The statements that the stores' own store sends, caught on their way. */
async function sameSql(
  from: Services,
  workspace: string,
): Promise<{ ids: string[]; point: Statement; list: Statement[] }> {
  const sent: Statement[] = [];
  const ctx = createContext(from, {
    caller: systemCaller('bench', { workspaceId: workspace, mode: 'LIVE' }),
    requestId: 'bench',
  });
  const watched = {
    ...ctx,
    scope: ctx.scope,
    sql: {
      query: (text: string, params: readonly unknown[] = []) => {
        sent.push({ text, params });
        return from.database.sql.query(text, params);
      },
    },
  } as typeof ctx;
  const found = await storesPage(
    watched,
    { size: PAGE, offset: 0, afterId: null },
    { status: null, search: null },
  );
  await found.total();
  const list = sent.splice(0);
  const ids = found.rows.map(({ id }) => id);
  await storeById.batch(watched, [ids[0]!]);
  return { ids, point: sent[0]!, list };
}

async function bareServer(): Promise<{ url: string; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: postgres.url, max: services.config.DATABASE_POOL_SIZE });
  const query = async (name: string, { text, params }: Statement) =>
    (await pool.query({ name, text, values: [...params] })).rows;
  const app = fastify();
  const reply = (row: Record<string, unknown>) => ({
    id: row['id'],
    name: row['name'],
    status: String(row['status']).toLowerCase(),
    address: row['address'],
    created_at: row['createdAt'],
  });
  app.get('/api/v2/stores/:id', async (request) => {
    const { id } = request.params as { id: string };
    const [row] = await query('point', { text: statements.point.text, params: [workspaceId, [id]] });
    return reply(row);
  });
  app.get('/api/v2/stores', async (request) => {
    const { offset } = request.query as { offset: string };
    const [page, count] = statements.list as [Statement, Statement];
    const [rows, [counted]] = await Promise.all([
      // The last parameter is the offset.
      query('list', { text: page.text, params: [...page.params.slice(0, -1), Number(offset)] }),
      query('count', count),
    ]);
    return { stores: rows.slice(0, PAGE).map(reply), total: counted.total };
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    async close() {
      await app.close();
      await pool.end();
    },
  };
}
