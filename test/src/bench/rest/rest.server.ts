import { storeById, storesPage } from '@loyalty/commerce-subgraph/stores/stores/stores.store';
import { systemCaller } from '@loyalty/platform/caller/caller';
import { createContext } from '@loyalty/platform/caller/create-context';
import fastify from 'fastify';
import pg from 'pg';
import { startProduct } from '../product.ts';

/**
 * Two servers over one database: the product, and a bare handler that runs the same SQL and sends the same
 * JSON. Prints their addresses as one line of JSON and serves until it gets the message to stop.
 */
const STORES = 200;
const PAGE = 50;

const product = await startProduct();
for (let index = 0; index < STORES; index += 1) {
  const input = { name: `Store ${index}`, address: `${index} Long Street`, latitude: 40, longitude: -8 };
  await product.run('mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }', { input });
}
const secret = await product.key(['stores:read']);
const statements = await sameSql();
const bare = await bareServer();
const addresses = { product: product.url, bare: bare.url, secret, ids: statements.ids };
process.stdout.write(`${JSON.stringify(addresses)}\n`);

process.once('SIGTERM', async () => {
  await bare.close();
  await product.close();
  process.exit(0);
});

interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** The statements that the stores' own store sends, caught on their way. */
async function sameSql(): Promise<{ ids: string[]; point: Statement; list: Statement[] }> {
  const { services, workspaceId } = product;
  const sent: Statement[] = [];
  const ctx = createContext(services, {
    caller: systemCaller('bench', { workspaceId, mode: 'LIVE' }),
    requestId: 'bench',
  });
  const watched = {
    ...ctx,
    scope: ctx.scope,
    sql: {
      query: (text: string, params: readonly unknown[] = []) => {
        sent.push({ text, params });
        return services.database.sql.query(text, params);
      },
    },
  } as typeof ctx;
  const found = await storesPage(
    watched,
    { size: PAGE, offset: 0, cursorId: null, isBackward: false },
    { status: null, search: null },
  );
  await found.total();
  const list = sent.splice(0);
  const ids = found.rows.map(({ id }) => id);
  await storeById.batch(watched, [ids[0]!]);
  return { ids, point: sent[0]!, list };
}

async function bareServer(): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, services, workspaceId } = product;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: services.config.DATABASE_POOL_SIZE ?? 8 });
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
