import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { clientOf } from '../../harness/client.ts';
import { startMeasuredProduct } from '../measured-product.ts';

const MEMBERS = 20_000;
/** The largest content of an upload. */
const CONTENT_BYTES_MAX = 5 * 1024 * 1024;
const HEADER = 'external_id,member_id,type,occurred_at,item_id\n';
const TYPES = ['view', 'view', 'view', 'cart_add', 'cart_remove', 'purchase'];
/** The number of concurrent uploads. */
const AT_ONCE = 2;

type Rest = ReturnType<typeof clientOf>['rest'];

/**
 * Imports events through POST /api/v1/data in uploads of the largest size, each previewed and confirmed.
 * Compares that with a COPY of the same rows into a bare table, and prints the peak memory of the product's
 * process.
 */
export async function measureImport(rows: number): Promise<void> {
  const product = await startMeasuredProduct();
  const { rest, graph, client } = product;
  try {
    const secret = await signUp(rest, graph, rows);
    await importMembers(rest, secret);
    const uploads = uploadsOf(rows);
    console.log(`${rows.toLocaleString('en')} events of ${MEMBERS} members in ${uploads.length} uploads`);
    const bare = await copy(client, uploads);
    const start = performance.now();
    const spent = await send(rest, secret, uploads);
    const seconds = (performance.now() - start) / 1_000;
    const rate = (each: number) => `${(rows / each).toFixed(0)} rows/s (${each.toFixed(1)} s)`;
    console.log(`COPY, no indexes:   ${rate(bare)}`);
    console.log(
      `POST /api/v1/data:  ${rate(seconds)}; previews ${spent.preview.toFixed(1)} s, ` +
        `confirmations ${spent.confirm.toFixed(1)} s, ${AT_ONCE} at once`,
    );
    console.log(`ratio: ${(bare / seconds).toFixed(3)} of COPY (bar 0.15)`);
  } finally {
    await product.end();
  }
}

async function signUp(rest: Rest, graph: ReturnType<typeof clientOf>['graph'], rows: number) {
  const account = { email: 'import@example.com', password: 'a long import password' };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Bench' } });
  const { token } = (await rest('POST', '/api/v2/auth/login', { body: account })).body;
  // One deposit has an upper limit.
  for (let cents = Math.ceil(rows / 100); cents > 0; cents -= 1_000_000)
    await graph(
      'mutation ($c: Int!) { depositCredits(usdCents: $c) { balance } }',
      { c: Math.max(100, Math.min(cents, 1_000_000)) },
      token,
    );
  await graph('mutation { activatePaidService { plan } }', {}, token);
  const { data } = await graph<{ createApiKey: { secret: string } }>(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { name: 'bench', scopes: ['model:data:write', 'model:data:read'], mode: 'LIVE' } },
    token,
  );
  return data.createApiKey.secret;
}

async function importMembers(rest: Rest, secret: string): Promise<void> {
  const rows = Array.from({ length: MEMBERS }, (_, index) => `m-${index},2024-01-01T00:00:00Z`);
  const start = performance.now();
  await twoSteps(rest, secret, 'members', `external_id,created_at\n${rows.join('\n')}\n`);
  console.log(`${MEMBERS} members: ${(MEMBERS / ((performance.now() - start) / 1_000)).toFixed(0)} rows/s`);
}

/** Splits the rows, in order of time, into uploads of the largest size. */
function uploadsOf(rows: number): string[] {
  const uploads: string[] = [];
  let content = HEADER;
  for (let row = 0; row < rows; row += 1) {
    const at = new Date(Date.UTC(2025, 0, 1) + row * 25_000).toISOString();
    const type = TYPES[(row * 7) % TYPES.length];
    const line = `event-${row},m-${(row * 7_919) % MEMBERS},${type},${at},item-${row % 500}\n`;
    if (content.length + line.length > CONTENT_BYTES_MAX) {
      uploads.push(content);
      content = HEADER;
    }
    content += line;
  }
  return [...uploads, content];
}

/**
 * Runs a COPY into a bare table with the columns of facts; the server itself reads the file from its disk.
 */
async function copy(client: pg.Client, uploads: readonly string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'loyalty-import-'));
  // PostgreSQL may run as another user, who must be able to read the file.
  await chmod(directory, 0o755);
  const file = join(directory, 'events.csv');
  await writeFile(file, HEADER + uploads.map((content) => content.slice(HEADER.length)).join(''));
  await client.query(
    `CREATE TABLE bench_events (LIKE model.event_facts);
     CREATE SEQUENCE bench_ids;
     ALTER TABLE bench_events
       ADD external_id text,
       ALTER member_id TYPE text,
       ALTER id SET DEFAULT lpad(to_hex(nextval('bench_ids')), 32, '0')::uuid,
       ALTER workspace_id SET DEFAULT '00000000-0000-7000-8000-000000000000', ALTER mode SET DEFAULT 'LIVE'`,
  );
  const start = performance.now();
  await client.query(
    `COPY bench_events (external_id, member_id, type, occurred_at, item_id)
     FROM '${file}' (FORMAT csv, HEADER)`,
  );
  const seconds = (performance.now() - start) / 1_000;
  await client.query('DROP TABLE bench_events');
  await rm(directory, { recursive: true, force: true });
  return seconds;
}

async function send(rest: Rest, secret: string, uploads: readonly string[]) {
  const spent = { preview: 0, confirm: 0 };
  const left = [...uploads];
  const sender = async () => {
    for (let content = left.shift(); content !== undefined; content = left.shift()) {
      const took = await twoSteps(rest, secret, 'events', content);
      spent.preview += took.preview;
      spent.confirm += took.confirm;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  return spent;
}

/** Previews and confirms an upload, and measures the seconds of each. */
async function twoSteps(rest: Rest, secret: string, kind: string, content: string) {
  const input = { kind, format: 'csv', content, mapping: {} };
  const begun = performance.now();
  const preview = await rest('POST', '/api/v1/data', { as: secret, body: input });
  if (preview.status !== 200 || preview.body.issues.length > 0)
    throw new Error(`preview: ${preview.status} ${JSON.stringify(preview.body).slice(0, 500)}`);
  const previewed = performance.now();
  const { token } = preview.body;
  const done = await rest('POST', '/api/v1/data', { as: secret, body: { ...input, confirmed: true, token } });
  if (done.status !== 200 || done.body.inserted !== preview.body.inserted)
    throw new Error(`confirm: ${done.status} ${JSON.stringify(done.body).slice(0, 500)}`);
  return { preview: (previewed - begun) / 1_000, confirm: (performance.now() - previewed) / 1_000 };
}
