import fastify from 'fastify';
import pg from 'pg';
import { startProduct } from './product.ts';

/**
 * Runs two servers over one database: the product, and a bare handler that reads the same rows and sends the
 * same JSON. Prints their addresses as one line of JSON and serves until it gets the message to stop.
 */
const STORES = 200;
const PAGE = 50;

const COLUMNS = `id, name, address, latitude, longitude, geofence_radius_meters, time_zone, hours, status,
  created_at`;
const POINT = `SELECT ${COLUMNS} FROM commerce.stores WHERE workspace_id = $1 AND id = $2`;
const LIST = `SELECT ${COLUMNS} FROM commerce.stores WHERE workspace_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3`;
const COUNT = 'SELECT count(*)::int AS total FROM commerce.stores WHERE workspace_id = $1';

const product = await startProduct();
for (let index = 0; index < STORES; index += 1) {
  const input = { name: `Store ${index}`, address: `${index} Long Street`, latitude: 40, longitude: -8 };
  await product.run('mutation ($input: CreateStoreInput!) { createStore(input: $input) { id } }', { input });
}
const secret = await product.key(['stores:read']);
const bare = await bareServer();
const addresses = { product: product.url, bare: bare.url, secret, ids: bare.ids };
process.stdout.write(`${JSON.stringify(addresses)}\n`);

process.once('SIGTERM', async () => {
  await bare.close();
  await product.close();
  process.exit(0);
});

async function bareServer(): Promise<{ url: string; ids: string[]; close(): Promise<void> }> {
  const { databaseUrl, services, workspaceId } = product;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: services.config.DATABASE_POOL_SIZE ?? 8 });
  const query = async (name: string, text: string, values: readonly unknown[]) =>
    (await pool.query({ name, text, values: [workspaceId, ...values] })).rows;
  const app = fastify();
  const reply = (row: Record<string, unknown>) => ({
    id: row['id'],
    name: row['name'],
    status: String(row['status']).toLowerCase(),
    address: row['address'],
    created_at: row['created_at'],
  });
  app.get('/api/v2/stores/:id', async (request) => {
    const { id } = request.params as { id: string };
    const [row] = await query('point', POINT, [id]);
    return reply(row);
  });
  app.get('/api/v2/stores', async (request) => {
    const { offset } = request.query as { offset: string };
    const [rows, [counted]] = await Promise.all([
      query('list', LIST, [PAGE + 1, Number(offset)]),
      query('count', COUNT, []),
    ]);
    return { stores: rows.slice(0, PAGE).map(reply), total: counted.total };
  });
  const ids = (await query('list', LIST, [PAGE, 0])).map((row) => String(row['id']));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    ids,
    async close() {
      await app.close();
      await pool.end();
    },
  };
}
