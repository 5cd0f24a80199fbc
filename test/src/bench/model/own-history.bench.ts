import { parseArgs } from 'node:util';
import { ownHistoryAlignment } from '@loyalty/model-subgraph/alignment/own-history.service';
import { createContext } from '@loyalty/platform/database/create-context';
import pg from 'pg';
import { generateMembers } from '../bulk/generate-members.ts';
import { memoryOf } from '../bulk/process-figures.ts';
import { startProduct } from '../product.ts';

const help = `Labels from the workspace's own history and a head for them: time and memory.

  npm run bench -- own-history [options]
  --members <n>   members to generate (100000), each with orders and a part with events
  --orders <n>    orders more of each member, over 500 days (8)
  --horizon <n>   days (30); four windows

The bar is 60 s and 500 MB for 100,000 members.`;

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100000' },
    orders: { type: 'string', default: '8' },
    horizon: { type: 'string', default: '30' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

/** Adds orders up to yesterday; each member has an interval of their own. */
const MORE_ORDERS = `
  INSERT INTO model.order_facts
    (workspace_id, mode, member_id, occurred_at, id, order_id, amount_minor, currency, status, recorded_at)
  SELECT s.workspace_id, s.mode, s.member_id, at, gen_random_uuid(), gen_random_uuid(), 1000, 'EUR', 'PAID', at
    FROM model.member_statistics AS s
   CROSS JOIN LATERAL generate_series(1, $2::int) AS n
   CROSS JOIN LATERAL (
     SELECT now() - interval '1 day' * (1 + n * (5 + hashint8extended(hashtext(s.member_id::text), 7) & 63)
                                          + hashint8extended(hashtext(s.member_id::text), n) & 15) AS at) AS t
   WHERE s.workspace_id = $1`;

async function main(members: number, orders: number, horizon: number): Promise<void> {
  const product = await startProduct();
  const client = new pg.Client({ connectionString: product.databaseUrl });
  try {
    await client.connect();
    const { databaseUrl, workspaceId } = product;
    await generateMembers({ databaseUrl, workspaceId, timeZone: 'UTC', members, seed: 1 }, console.log);
    await client.query(MORE_ORDERS, [workspaceId, orders]);
    await client.query('VACUUM (ANALYZE) model.order_facts');
    const ctx = createContext(product.services, { caller: product.owner, requestId: 'bench' });
    const before = memoryOf(process.pid).now;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, memoryOf(process.pid).now);
    }, 50);
    const start = performance.now();
    let step = '';
    const since = () => ((performance.now() - start) / 1_000).toFixed(1);
    const outcome = await ownHistoryAlignment(ctx, 'purchase', horizon, {
      onProgress(progress) {
        const name = progress.step.replace(/\d+ /, '');
        if (name !== step) console.log(`  ${since()} s  ${name}`);
        step = name;
      },
    });
    clearInterval(timer);
    console.log(
      outcome ? `A head was fitted; its gates are ${outcome.passed ? '' : 'not '}passed.` : 'No head.',
    );
    console.log(`${members} members, windows of ${horizon} days: ${since()} s (bar for 100000: 60 s)`);
    console.log(
      `memory: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most, ` +
        `${(most - before).toFixed(0)} MB more (bar 500 MB)`,
    );
  } finally {
    await client.end();
    await product.close();
  }
}

if (values.help) console.log(help);
else await main(Number(values.members), Number(values.orders), Number(values.horizon));
