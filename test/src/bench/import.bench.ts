import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startMeasuredProduct } from './measured-product.ts';

/**
 * Measures an import of orders through POST /orders/import, from the first byte sent until the import has
 * ended. Compares it with PostgreSQL's own COPY of the same file into a bare table and into one with the
 * indexes of `commerce.orders`. Prints rows per second, their ratios, and the peak memory of the product's
 * process.
 *
 * The first argument is the number of orders. Default: 1,000,000.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
const MEMBERS = 5_000;
const COLUMNS = [
  'external_order_id',
  'member_id',
  'occurred_at',
  'currency',
  'total',
  'subtotal',
  'discount',
  'tax',
  'status',
];
const TABLE_COLUMNS = COLUMNS.map((name) =>
  ['total', 'subtotal', 'discount', 'tax'].includes(name) ? `${name}_minor` : name,
);

const directory = await mkdtemp(join(tmpdir(), 'loyalty-import-'));
// PostgreSQL may run as another user, who must be able to read the file.
await chmod(directory, 0o755);
const product = await startMeasuredProduct();
const { rest, graph, client, url } = product;
try {
  const { secret, workspaceId } = await signUp();
  const file = await writeFile(await importMembers(secret));
  const megabytes = (await stat(file)).size / 1024 ** 2;
  console.log(`${ROWS.toLocaleString('en')} orders, ${megabytes.toFixed(0)} MB`);
  const bare = await copy(file, 'bench_bare', `(LIKE commerce.orders)`, workspaceId);
  const indexed = await copy(file, 'bench_indexed', '(LIKE commerce.orders INCLUDING INDEXES)', workspaceId);
  const { seconds, uploaded } = await importOrders(file, secret);
  const rate = (each: number) => `${(ROWS / each).toFixed(0)} rows/s (${each.toFixed(1)} s)`;
  console.log(`COPY, no indexes:    ${rate(bare)}`);
  console.log(`COPY, same indexes:  ${rate(indexed)}`);
  console.log(`POST /orders/import: ${rate(seconds)}, of which ${uploaded.toFixed(1)} s sending the file`);
  console.log(
    `ratio: ${(bare / seconds).toFixed(3)} of COPY, ${(indexed / seconds).toFixed(3)} with indexes`,
  );
} finally {
  await product.end();
  await rm(directory, { recursive: true, force: true });
}

async function signUp(): Promise<{ secret: string; workspaceId: string }> {
  const account = { email: 'import@example.com', password: 'a long import password' };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Bench' } });
  const { body } = await rest('POST', '/api/v2/auth/login', { body: account });
  const { data } = await graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    body.token,
  );
  const { data: made } = await graph<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'bench', scopes: ['imports:write', 'members:read', 'orders:read'], mode: 'LIVE' } },
    body.token,
  );
  return { secret: made.createApiKey.secret, workspaceId: data.viewer.workspace.id };
}

async function importMembers(secret: string): Promise<string[]> {
  const rows = Array.from({ length: MEMBERS }, (_, index) => `member-${index}@example.com`);
  const { body } = await rest('POST', '/api/v2/members/import', {
    as: secret,
    headers: { 'content-type': 'text/csv' },
    body: `email\n${rows.join('\n')}\n`,
  });
  const start = performance.now();
  await finished(`/api/v2/members/import/${body.data.id}`, secret);
  console.log(`${MEMBERS} members: ${(MEMBERS / ((performance.now() - start) / 1_000)).toFixed(0)} rows/s`);
  const { rows: found } = await client.query<{ id: string }>('SELECT id FROM loyalty.members');
  return found.map(({ id }) => id);
}

async function writeFile(memberIds: readonly string[]): Promise<string> {
  const path = join(directory, 'orders.csv');
  const out = createWriteStream(path);
  out.write(`${COLUMNS.join(',')}\n`);
  const statuses = ['PAID', 'FULFILLED', 'CANCELLED'];
  for (let row = 0; row < ROWS; row += 1) {
    const total = 500 + ((row * 7_919) % 50_000);
    const at = new Date(Date.UTC(2025, 0, 1) + row * 25_000).toISOString();
    const cells = [
      `ORDER-${String(row).padStart(9, '0')}`,
      memberIds[(row * 31) % memberIds.length],
      at,
      'EUR',
      total,
      total - 100,
      100,
      Math.floor(total / 5),
      statuses[row % 3],
    ];
    if (!out.write(`${cells.join(',')}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return path;
}

/** Runs a COPY in which the server itself reads the file from its disk. */
async function copy(file: string, table: string, shape: string, workspaceId: string): Promise<number> {
  await client.query(`CREATE TABLE ${table} ${shape}`);
  await client.query('CREATE SEQUENCE IF NOT EXISTS bench_ids');
  await client.query(
    `ALTER TABLE ${table}
       ALTER id SET DEFAULT lpad(to_hex(nextval('bench_ids')), 32, '0')::uuid,
       ALTER workspace_id SET DEFAULT '${workspaceId}', ALTER mode SET DEFAULT 'LIVE',
       ALTER items SET DEFAULT '[]', ALTER refunded_minor SET DEFAULT 0, ALTER points_reversed SET DEFAULT 0,
       ALTER fingerprint SET DEFAULT sha256(''), ALTER created_at SET DEFAULT now(),
       ALTER updated_at SET DEFAULT now()`,
  );
  const start = performance.now();
  await client.query(`COPY ${table} (${TABLE_COLUMNS.join(', ')}) FROM '${file}' (FORMAT csv, HEADER)`);
  const seconds = (performance.now() - start) / 1_000;
  await client.query(`DROP TABLE ${table}`);
  return seconds;
}

async function importOrders(file: string, secret: string): Promise<{ seconds: number; uploaded: number }> {
  const start = performance.now();
  const response = await fetch(`${url}/api/v2/orders/import`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', authorization: `Bearer ${secret}` },
    body: createReadStream(file) as never,
    duplex: 'half',
  } as RequestInit);
  const { data } = (await response.json()) as { data: { id: string } };
  const uploaded = (performance.now() - start) / 1_000;
  const job = await finished(`/api/v2/orders/import/${data.id}`, secret);
  const seconds = (performance.now() - start) / 1_000;
  if (job['inserted'] !== ROWS) throw new Error(`the import ended as ${JSON.stringify(job)}`);
  return { seconds, uploaded };
}

async function finished(path: string, secret: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { body } = await rest('GET', path, { as: secret });
    if (body.data?.finished_at) return body.data;
    await delay(100);
  }
}
