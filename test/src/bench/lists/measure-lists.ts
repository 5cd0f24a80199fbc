import { median } from '../measure.ts';
import { type BenchProduct, startProduct } from '../product.ts';

const MEMBERS = 1_000_000;
const DEEP = 100_000;
const CALLS = 9;
const BAR = 10;

/**
 * Measures pages of GET /members, `total` included, in a workspace of 1,000,000 members: at offset 100,000
 * compared with offset 0. Also measures cursor pages of the graph from the first to the last.
 */
export async function deepPagesBesideFirst(): Promise<void> {
  const product = await startProduct();
  try {
    await fill(product);
    const secret = await product.key(['members:read']);
    const first = await restPage(product, secret, 0);
    const deep = await restPage(product, secret, DEEP);
    const ratio = deep / first;
    console.log(
      `members by offset: ${first.toFixed(1)} ms at 0, ${deep.toFixed(1)} ms at ${DEEP}, ratio ${ratio.toFixed(2)}`,
    );
    const places = [0, 0.1, 0.5, 0.99];
    const cursors = await Promise.all(places.map((place) => cursorAt(product, place)));
    const times: number[] = [];
    for (const cursor of cursors) times.push(await cursorPage(product, cursor));
    const shown = times.map((time, index) => `${time.toFixed(1)} ms at ${places[index]! * 100}%`);
    console.log(`members by cursor: ${shown.join(', ')}`);
    if (ratio > BAR) throw new Error(`The page at ${DEEP} may take at most ${BAR} times the first.`);
  } finally {
    await product.close();
  }
}

async function restPage({ url }: BenchProduct, secret: string, offset: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now();
    const reply = await fetch(`${url}/api/v2/members?limit=50&offset=${offset + call}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const { members, total } = (await reply.json()) as { members: unknown[]; total: number };
    if (members.length !== 50 || total !== MEMBERS) throw new Error(`${members.length} of ${total} members`);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const PAGE = 'query ($after: String) { members(first: 50, after: $after) { nodes { id status } } }';

async function cursorPage(product: BenchProduct, after: string): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const startedAt = performance.now();
    await product.run(PAGE, { after });
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** The cursor of the member at a given share of the list, newest first. */
async function cursorAt({ services, workspaceId }: BenchProduct, share: number): Promise<string> {
  const [row] = await services.database.sql.query<{ id: string }>(
    `SELECT id FROM loyalty.members WHERE workspace_id = $1 AND mode = 'LIVE'
      ORDER BY id DESC OFFSET $2 LIMIT 1`,
    [workspaceId, Math.floor(share * (MEMBERS - 1))],
  );
  return Buffer.from(row!.id).toString('base64url');
}

/** Adds members without personal data by SQL; their ids are in the same order as those of the product. */
async function fill({ services, workspaceId }: BenchProduct): Promise<void> {
  await services.database.transaction(async ({ sql }) => {
    await sql.query(`SELECT set_config('statement_timeout', '0', true)`);
    await sql.query(
      `INSERT INTO loyalty.members (workspace_id, mode, id, external_id, status, enrollment_source,
         last_activity_at, created_at, updated_at)
       SELECT $1, 'LIVE', ('0197a3c2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'm-' || n, 'ACTIVE',
              'IMPORT', now(), now(), now()
         FROM generate_series(1, ${MEMBERS}) AS n`,
      [workspaceId],
    );
    await sql.query(`INSERT INTO loyalty.member_counts VALUES ($1, 'LIVE', 0, ${MEMBERS})`, [workspaceId]);
  });
  await services.database.sql.query('SET statement_timeout = 0');
  await services.database.sql.query('VACUUM (ANALYZE) loyalty.members');
}
