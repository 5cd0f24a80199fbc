import fastify from 'fastify';
import pg from 'pg';
import { startProduct } from '../product.ts';
import { consumers, openPaidService } from './model-rows.ts';

/**
 * Runs two servers over one database: the product, and a bare handler that reads the row of the member's
 * statistics and sends it. Prints their addresses as one line of JSON and serves until it gets the message to
 * stop.
 */
const product = await startProduct();
await openPaidService(product);
const ids = await consumers(product);
const secret = await product.key(['predictions:read']);
const bare = await bareServer();
process.stdout.write(`${JSON.stringify({ product: product.url, bare: bare.url, secret, ids })}\n`);

process.once('SIGTERM', async () => {
  await bare.close();
  await product.close();
  process.exit(0);
});

async function bareServer(): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, services, workspaceId } = product;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: services.config.DATABASE_POOL_SIZE ?? 8 });
  const text = `SELECT * FROM model.member_statistics
                 WHERE workspace_id = $1 AND mode = 'LIVE' AND member_id = $2`;
  const app = fastify();
  app.post('/api/v1/capabilities', async (request) => {
    const { arguments: given } = request.body as { arguments: { member_id: string } };
    const { rows } = await pool.query({ name: 'point', text, values: [workspaceId, given.member_id] });
    return { result: { data: rows[0] } };
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
