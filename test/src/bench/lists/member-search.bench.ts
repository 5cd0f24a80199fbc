import { parseArgs } from 'node:util';
import type { NewMember } from '@loyalty/loyalty-subgraph/imports/imported-member';
import { insertMembers } from '@loyalty/loyalty-subgraph/imports/member-import.store';
import { termsOf } from '@loyalty/loyalty-subgraph/members/search-terms';
import { systemCaller } from '@loyalty/platform/base/caller';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import { createContext } from '@loyalty/platform/database/create-context';
import { type BenchProduct, startProduct } from '../product.ts';

/**
 * Searches members by name, phone and external id through the graph, as the team does: pages of 50 with
 * names, for 50 texts of each kind. Then it measures an enrolment with and without a name and a phone.
 */
const CALLS = 50;
/** The fastest of these runs counts, because other work of the machine only makes a run slower. */
const RUNS = 5;
/**
 * An import enrols the newest members; the others are inserted as rows with the same number of search terms.
 */
const NEWEST = 5_000;
const BATCH = 1_000;
const BAR_MS = 50;

const firstNames = `Maria Ana João José António Manuel Francisco Mariana Marta Mário Beatriz Leonor Matilde
  Carolina Inês Sofia Rita Joana Tiago Diogo Miguel Pedro Rui Luís Carlos Paulo Nuno Bruno Ricardo Hugo André
  Catarina Teresa Isabel Helena Cristina Sónia Filipa Vera Marco Martim Simão Tomás Duarte Gonçalo Afonso
  Gaspar Baltasar Zulmira Quitéria`.split(/\s+/);
const surnames =
  `Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Fernandes Gonçalves
  Gomes Lopes Marques Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares Vieira
  Monteiro Cardoso Rocha Neves Coelho Cruz Cunha Pires Ramos Reis Simões Antunes Matos Fonseca Machado Araújo
  Barbosa Tavares Lourenço Castro Figueiredo Azevedo Magalhães`.split(/\s+/);

/** A number from 0 to 1 that is the same in each run. Lower places of a list are picked more often. */
const at = (seed: number): number => ((seed * 2_654_435_761) % 2 ** 32) / 2 ** 32;
const pick = (list: readonly string[], seed: number): string =>
  list[Math.floor(at(seed) ** 2 * list.length)]!;

const nameOf = (n: number): string =>
  `${pick(firstNames, n)} ${pick(firstNames, n + 7)} ${pick(surnames, n + 13)} ${pick(surnames, n + 29)}`;
const phoneOf = (n: number): string => `+3519${String((n * 48_271) % 100_000_000).padStart(8, '0')}`;

const kinds = (members: number): Readonly<Record<string, (call: number) => string>> => ({
  'a first name': (call) => pick(firstNames, call),
  'three letters': (call) => pick(call % 2 ? firstNames : surnames, call * 3).slice(0, 3),
  'first name and surname': (call) => `${pick(firstNames, call)} ${pick(surnames, call * 5)}`,
  'parts of three words': (call) =>
    nameOf(call)
      .split(' ')
      .slice(1)
      .map((word) => word.slice(0, 4))
      .join(' '),
  'a phone number': (call) => phoneOf((call * 7_919) % NEWEST).slice(4),
  'last four digits': (call) => String(1_000 + call * 17),
  'an external id': (call) => `till-${(call * 7_919) % members}`,
  nobody: (call) => `xylo${'abcdefghij'[call % 10]}`,
});

const LIST = `query ($search: String) { members(first: 50, search: $search) {
  nodes { id name email phone status } pageInfo { endCursor hasNextPage } } }`;

const { values } = parseArgs({ options: { members: { type: 'string', default: '1000000' } } });
const members = Number(values.members);
const product = await startProduct();
try {
  const began = performance.now();
  await fill(product);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${members} members enrolled in ${seconds.toFixed(0)} s; ${await sizes(product)}`);
  const all: number[] = [];
  for (const [kind, searched] of Object.entries(kinds(members))) {
    const times = await measure(product, searched);
    all.push(...times.times);
    console.log(`${kind}: ${figures(times.times)}, ${times.found} on the pages`);
  }
  console.log(`all: ${figures(all)}`);
  await enrolments(product);
  if (share(all, 0.95) > BAR_MS) throw new Error(`95% of the searches must take at most ${BAR_MS} ms.`);
} finally {
  await product.close();
}

async function fill(product: BenchProduct): Promise<void> {
  const { services, workspaceId } = product;
  const caller = systemCaller('bench', { workspaceId, mode: 'LIVE' });
  const keys = await services.keyring.of(workspaceId);
  await fillOlder(product);
  for (let from = 0; from < NEWEST; from += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index): NewMember => {
      const n = from + index;
      const email = `member-${n}@example.com`;
      return {
        id: newId(services.clock),
        email,
        emailIndex: keys.index(email, EMAIL_INDEX),
        isUnsubscribed: false,
        customAttributes: {},
        details: { fullName: nameOf(n), phone: phoneOf(n), externalId: `till-${n}` },
      };
    });
    await createContext(services, { caller, requestId: 'bench' }).transaction((tx) =>
      insertMembers(tx, rows),
    );
  }
  await services.database.connection(async (client) => {
    await client.query('SET statement_timeout = 0');
    await client.query('VACUUM (ANALYZE) loyalty.members, loyalty.member_search');
  });
}

/** Adds members by SQL, without encrypted data; hashes of made-up values take the place of phone hashes. */
async function fillOlder({ services, workspaceId }: BenchProduct): Promise<void> {
  const { indexKeys } = await services.keyring.of(workspaceId);
  const names = Array.from({ length: NEWEST }, (_, n) => ({ name: nameOf(n), phone: null }));
  const terms = names.map((name) => `{${termsOf(indexKeys[0]!, 'LIVE', name).join(',')}}`);
  await services.database.transaction(async ({ sql }) => {
    await sql.query(`SELECT set_config('statement_timeout', '0', true)`);
    await sql.query(`SELECT set_config('maintenance_work_mem', '512MB', true)`);
    await sql.query('DROP INDEX loyalty.member_search_terms_idx');
    await sql.query(
      `INSERT INTO loyalty.members (workspace_id, mode, id, external_id, status, enrollment_source,
         last_activity_at, created_at, updated_at)
       SELECT $1, 'LIVE', ('0197a3c2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'till-' || n, 'ACTIVE',
              'IMPORT', now(), now(), now()
         FROM generate_series(${NEWEST}, ${members} - 1) AS n`,
      [workspaceId],
    );
    await sql.query(
      `INSERT INTO loyalty.member_search (workspace_id, mode, member_id, terms)
       SELECT $1, 'LIVE', ('0197a3c2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
              names.terms::bigint[] || hashtextextended((n % 10000)::text, 4)
                || ARRAY(SELECT hashtextextended((n % (10 ^ digits)::bigint)::text, digits)
                           FROM generate_series(5, 9) AS digits)
         FROM generate_series(${NEWEST}, ${members} - 1) AS n
         JOIN unnest($2::text[]) WITH ORDINALITY AS names(terms, number) ON number = 1 + n % ${NEWEST}`,
      [workspaceId, terms],
    );
    await sql.query(
      `CREATE INDEX member_search_terms_idx ON loyalty.member_search USING gin (terms) WITH (fastupdate = off)`,
    );
    await sql.query(`INSERT INTO loyalty.member_counts VALUES ($1, 'LIVE', 0, $2)`, [
      workspaceId,
      members - NEWEST,
    ]);
  });
}

async function sizes({ services }: BenchProduct): Promise<string> {
  const rows = await services.database.sql.query<{ name: string; mb: number }>(
    `SELECT c.relname AS name, (pg_relation_size(c.oid) / 1048576)::int AS mb FROM pg_class AS c
      WHERE c.relname IN ('members', 'member_search', 'member_search_terms_idx', 'member_search_pkey')
      ORDER BY 1`,
  );
  return rows.map(({ name, mb }) => `${name} ${mb} MB`).join(', ');
}

async function measure({ run }: BenchProduct, searched: (call: number) => string) {
  const times: number[] = [];
  let found = 0;
  for (let call = -5; call < CALLS; call += 1) {
    const variables = { search: searched(call + 5) };
    const runs: number[] = [];
    for (let again = 0; again < RUNS; again += 1) {
      const start = performance.now();
      const answer = (await run(LIST, variables)) as { members: { nodes: unknown[] } };
      runs.push(performance.now() - start);
      if (call >= 0 && again === 0) found += answer.members.nodes.length;
    }
    if (call >= 0) times.push(Math.min(...runs));
  }
  return { times, found };
}

/** Enrols members one after the other, alternately with and without a name and a phone. */
async function enrolments({ run }: BenchProduct): Promise<void> {
  const CREATE = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  const times: Record<'named' | 'nameless', number[]> = { named: [], nameless: [] };
  for (let n = 0; n < 1_000; n += 1)
    for (const kind of ['named', 'nameless'] as const) {
      const details = kind === 'named' ? { fullName: nameOf(n), phone: phoneOf(n) } : {};
      const start = performance.now();
      await run(CREATE, { input: { email: `${kind}-${n}@example.com`, ...details } });
      times[kind].push(performance.now() - start);
    }
  for (const [kind, each] of Object.entries(times)) console.log(`an enrolment, ${kind}: ${figures(each)}`);
}

function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

function figures(times: readonly number[]): string {
  return `median ${share(times, 0.5).toFixed(1)} ms, 95% ${share(times, 0.95).toFixed(1)} ms`;
}
