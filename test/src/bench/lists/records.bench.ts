import { createRecord, updateRecord } from '@loyalty/loyalty-subgraph/objects/object-records.service';
import {
  defineObjectType,
  publishObjectType,
} from '@loyalty/loyalty-subgraph/objects/object-type-editor.service';
import { type ListRecords, listRecords } from '@loyalty/loyalty-subgraph/objects/record-lists.service';
import { defaultLimits, systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { startProduct } from '../product.ts';
import { fill, spread } from './record-rows.ts';

/**
 * Lists records of one type through the service that REST uses: rows and total, 50 calls of each kind with
 * different values. Prints the median and the 95th percentile in milliseconds for `ROWS` records (default:
 * 1,000,000), beside another workspace with a tenth as many records of the same values.
 */
const CALLS = 50;

export interface Measure {
  readonly name: string;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The number of rows that the last call found, to show that something was measured. */
  readonly found: number;
}

type Asked = (call: number) => Omit<ListRecords, 'type'>;

/** Measures lists and writes over `rows` records, on a database of its own. */
export async function measureRecords(rows: number): Promise<readonly Measure[]> {
  const product = await startProduct();
  try {
    return await measureAll(product.services, product.databaseUrl, rows);
  } finally {
    await product.close();
  }
}

async function measureAll(services: Services, url: string, rows: number): Promise<readonly Measure[]> {
  const contexts = [newId(services.clock), newId(services.clock)].map((workspaceId) => () => {
    const scope = { workspaceId, mode: 'LIVE' as const };
    const limits = { ...defaultLimits, recordWritesPerMinute: 1_000_000 };
    return createContext(services, { caller: { ...systemCaller('bench', scope), limits }, requestId: 'b' });
  });
  const owners = Array.from({ length: Math.ceil(rows / 100) }, () => newId(services.clock));
  const fills = [];
  for (const [index, contextOf] of contexts.entries()) {
    const ctx = contextOf();
    const { id } = await define(ctx);
    fills.push({
      workspaceId: ctx.scope.workspaceId,
      objectTypeId: id,
      rows: index === 0 ? rows : rows / 10,
    });
  }
  await fill(contexts[0]!(), url, fills, owners);
  const measures: Measure[] = [];
  for (const [name, asked] of Object.entries(kinds(owners, rows)))
    measures.push(await measureList(contexts[0]!, name, asked));
  for (const depth of [0, 0.1, 0.5, 0.99]) measures.push(await measureDepth(contexts[0]!, depth, rows));
  measures.push(await measureCount(services, fills[0]!.objectTypeId), ...(await measureWrites(contexts[0]!)));
  return measures;
}

async function define(ctx: Context) {
  const options = Array.from({ length: spread.status }, (_, index) => `state${index}`);
  await defineObjectType(ctx, {
    type: 'cases',
    label: 'Cases',
    fields: [
      { key: 'subject', type: 'TEXT' },
      { key: 'status', type: 'ENUM', options },
      { key: 'region', type: 'TEXT' },
      { key: 'owner', type: 'MEMBER_REF' },
      { key: 'score', type: 'NUMBER' },
      { key: 'tags', type: 'LIST' },
      { key: 'urgent', type: 'BOOLEAN' },
    ],
  });
  return publishObjectType(ctx, 'cases');
}

/** The kinds of lists by name; the number of the call selects its values. */
function kinds(owners: readonly string[], rows: number): Readonly<Record<string, Asked>> {
  const status = (call: number) => `state${call % spread.status}`;
  const region = (call: number) => `region ${(call * 37) % spread.region}`;
  const score = (call: number) => (call * 191) % spread.score;
  const tag = (call: number) => `tag${(call * 13) % spread.tags}`;
  const owner = (call: number) => owners[(call * 101) % owners.length]!;
  const pairs: readonly Asked[] = [
    (call) => ({ filters: { owner: owner(call), status: status(call) } }),
    (call) => ({ filters: { score: score(call), urgent: true } }),
    (call) => ({ filters: { score: score(call), status: status(call) } }),
    (call) => ({ filters: { region: region(call), tags: tag(call) } }),
    (call) => ({ filters: { region: region(call), status: status(call) } }),
  ];
  return {
    'two filters, 25 to 1,250 in a million': (call) => pairs[call % pairs.length]!(call),
    'two filters, 1 in 800': pairs[4]!,
    'two filters, 1 in 100': (call) => ({ filters: { tags: tag(call), status: status(call) } }),
    'two filters, 1 in 40': (call) => ({ filters: { urgent: true, status: status(call) } }),
    'one filter, 1 in 1,000': (call) => ({ filters: { score: score(call) } }),
    'one filter, 1 in 4': (call) => ({ filters: { status: status(call) } }),
    'a member': (call) => ({ memberId: owner(call) }),
    'a member and a filter': (call) => ({ memberId: owner(call), filters: { status: status(call) } }),
    'search for one of a kind': (call) => ({
      search: `Case ${((((call + 1) * (rows / 60)) | 0) * 48271) % 2147483647}`,
    }),
    'search, 1 in 100': (call) => ({ search: `word${(call * 7) % spread.words} ` }),
    'search in two filters': (call) => ({
      search: `word${(call * 7) % 9}`,
      filters: { region: region(call), status: status(call) },
    }),
    'no condition': () => ({}),
    title_asc: () => ({ sortBy: 'TITLE_ASC' }),
    'title_asc with a filter': (call) => ({ sortBy: 'TITLE_ASC', filters: { score: score(call) } }),
    updated_desc: () => ({ sortBy: 'UPDATED_DESC' }),
    'updated_desc with a filter': (call) => ({ sortBy: 'UPDATED_DESC', filters: { region: region(call) } }),
    'offset 100,000': () => ({ offset: Math.min(100_000, rows / 2) }),
  };
}

async function measureList(contextOf: () => Context, name: string, asked: Asked): Promise<Measure> {
  const times: number[] = [];
  let found = 0;
  for (let call = -5; call < CALLS; call += 1) {
    const ctx = contextOf();
    const start = performance.now();
    const list = await listRecords(ctx, { type: 'cases', ...asked(call + 5) });
    found = await list.total();
    if (call >= 0) times.push(performance.now() - start);
  }
  return summary(name, times, found);
}

/** Measures pages by cursor at a given depth of the list, in each sort order. */
async function measureDepth(contextOf: () => Context, depth: number, rows: number): Promise<Measure> {
  const times: number[] = [];
  const orders = ['CREATED_DESC', 'CREATED_ASC', 'UPDATED_DESC', 'TITLE_ASC'] as const;
  let found = 0;
  for (const sortBy of orders) {
    const offset = Math.floor((rows - 1) * depth);
    const at = await listRecords(contextOf(), { type: 'cases', sortBy, first: 1, offset });
    let after = Buffer.from(at.rows[0]!.id).toString('base64url');
    for (let call = 0; call < CALLS; call += 1) {
      const start = performance.now();
      const page = await listRecords(contextOf(), { type: 'cases', sortBy, after });
      times.push(performance.now() - start);
      found = page.rows.length;
      const last = page.rows.at(-1);
      if (last && page.hasNextPage) after = Buffer.from(last.id).toString('base64url');
    }
  }
  return summary(`pages by cursor in every order from ${depth * 100}% on`, times, found);
}

/** Measures the count of a type's records by an index scan, which the maintained count saves. */
async function measureCount(services: Services, objectTypeId: string): Promise<Measure> {
  const times: number[] = [];
  let found = 0;
  for (let call = 0; call < 10; call += 1) {
    const start = performance.now();
    const [counted] = await services.database.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM loyalty.object_records
        WHERE workspace_id = (SELECT workspace_id FROM loyalty.object_types WHERE id = $1)
          AND mode = 'LIVE' AND object_type_id = $1 AND deleted_at IS NULL`,
      [objectTypeId],
    );
    times.push(performance.now() - start);
    found = counted!.total;
  }
  return summary('a count from the index, not used', times, found);
}

async function measureWrites(contextOf: () => Context): Promise<readonly Measure[]> {
  const created: number[] = [];
  const changed: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const data = {
      subject: `A new case ${call} with words`,
      status: 'state1',
      region: 'region 7',
      score: call,
    };
    let start = performance.now();
    const { id } = await createRecord(contextOf(), 'cases', data);
    created.push(performance.now() - start);
    start = performance.now();
    await updateRecord(contextOf(), { type: 'cases', id, data: { score: call + 1 } });
    changed.push(performance.now() - start);
  }
  return [summary('create', created, 1), summary('patch', changed, 1)];
}

function summary(name: string, times: readonly number[], found: number): Measure {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { name, medianMs: at(0.5), p95Ms: at(0.95), found };
}

if (import.meta.main) {
  for (const { name, medianMs, p95Ms, found } of await measureRecords(Number(process.argv[2] ?? 1_000_000)))
    console.log(`${name}: median ${medianMs.toFixed(1)} ms, 95% ${p95Ms.toFixed(1)} ms, found ${found}`);
}
