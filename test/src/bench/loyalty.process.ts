import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { newId } from '@loyalty/platform/base/ids';
import type { Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { Sql } from '@loyalty/prisma/client';
import fastify from 'fastify';
import pg from 'pg';
import { startProduct } from './product.ts';

/**
 * Runs two servers over one database: the product, and a bare handler that awards points by the same two
 * statements in one transaction. Prints their addresses as one line of JSON and serves until it gets the
 * message to stop.
 */
const MEMBERS = 400;

const product = await startProduct();
for (const [rank, name] of ['Bronze', 'Silver', 'Gold'].entries()) {
  const input = { name, rank, upgradeThreshold: 1_000_000 * (rank + 1), multiplier: 1 };
  await product.run('mutation ($input: CreateTierInput!) { createTier(input: $input) { id } }', { input });
}
const ids: string[] = [];
for (let index = 0; index < MEMBERS; index += 1) {
  const { createMember } = await product.run(
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { input: { email: `member.${index}@example.com` } },
  );
  ids.push((createMember as { id: string }).id);
}
const secret = await product.key(['points:write']);
const [append, publish] = await sameSql();
const bare = await bareServer();
process.stdout.write(`${JSON.stringify({ product: product.url, bare: bare.url, secret, ids })}\n`);

process.once('SIGTERM', async () => {
  await bare.close();
  await product.close();
  process.exit(0);
});

interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

/** Records the two statements of an award's transaction: one for the entry, one for its event. */
async function sameSql(): Promise<[Statement, Statement]> {
  const { services, owner } = product;
  const sent: Statement[] = [];
  const watch = (sql: Sql): Sql => ({
    query: (text, params = []) => {
      sent.push({ text, params });
      return sql.query(text, params);
    },
  });
  const { database } = services;
  const watched: Services = {
    ...services,
    database: {
      ...database,
      transaction: (work, options) =>
        database.transaction((connections) => work({ ...connections, sql: watch(connections.sql) }), {
          ...options,
          // The events are written last, just before the commit.
          last() {
            const write = options?.last?.() ?? null;
            return write && ((sql) => write(watch(sql)));
          },
        }),
    },
  };
  const ctx = createContext(watched, { caller: owner, requestId: 'bench' });
  await awardPoints(ctx, ids[0]!, { amount: 1, description: 'order' });
  if (sent.length !== 2) throw new Error(`An award takes ${sent.length} statements, not two.`);
  return sent as [Statement, Statement];
}

/** The parameters of a statement; `changed` replaces some of them by their index. */
const withParams = ({ params }: Statement, changed: Readonly<Record<number, unknown>>): unknown[] =>
  params.map((value, place) => changed[place] ?? value);

async function bareServer(): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, services } = product;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: services.config.DATABASE_POOL_SIZE ?? 8 });
  const app = fastify();
  app.post('/api/v2/members/:id/points', async (request) => {
    const { id } = request.params as { id: string };
    const { amount, description } = request.body as { amount: number; description: string };
    const now = services.clock.now();
    const transactionId = newId(services.clock);
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const changed = { 2: id, 3: amount, 4: transactionId, 6: description, 8: now, 12: amount };
      const { rows } = await client.query({
        name: 'append',
        text: append.text,
        values: withParams(append, changed),
      });
      const payload = JSON.stringify({ memberId: id, transactionId, amount });
      const published = { 0: [newId(services.clock)], 4: [payload], 5: [now] };
      await client.query({ name: 'publish', text: publish.text, values: withParams(publish, published) });
      await client.query('COMMIT');
      return { transactionId, balance: rows[0].balanceAfter };
    } finally {
      client.release();
    }
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
