import { confirmDataImport, previewDataImport } from '@loyalty/model-subgraph/imports/data-imports.service';
import type { DataImportKind } from '@loyalty/model-subgraph/imports/import-fields';
import { seededRandom } from '@loyalty/model-subgraph/numerics/seeded-random';
import { countBaskets } from '@loyalty/model-subgraph/predictions/count-baskets.service';
import { fitItemPopularity } from '@loyalty/model-subgraph/predictions/item-popularity.service';
import { completeCart, recommendItems } from '@loyalty/model-subgraph/predictions/recommendations.service';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import type { Database, TransactionSql } from '@loyalty/prisma/client';
import { median } from '../measure.ts';
import { type BenchProduct, startProduct } from '../product.ts';

const MEMBERS = 20_000;
const ITEMS = 100_000;
/** The number of items that are bought together. */
const GROUP_SIZE = 50;
const GROUPS = ITEMS / GROUP_SIZE;
const LINES_OF_ORDER = 3;
/** Rows of one upload, about 2 MB. */
const UPLOAD = 50_000;
const LINE_HEADER = 'external_id,order_id,item_id,quantity';
const CALLS = 2_000;
const IMPORT_BAR = 1.15;
const P50_BAR_MS = 5;

/**
 * Imports order lines in two modes: in live mode with a note of every basket that must be counted, in test
 * mode without such notes. Then it measures the count of all pairs, and recommendations.
 */
export async function measureRecommendations(lines: number): Promise<void> {
  const product = await startProduct({ fsync: true });
  try {
    const live = contextOf(product, product.services, 'LIVE');
    const bare = { ...product.services, database: withoutNotes(product.services.database) };
    const memberIds = await importLines(lines, live, contextOf(product, bare, 'TEST'));
    const begun = performance.now();
    await countBaskets(live);
    console.log(`count of all baskets: ${secondsSince(begun)} s, as a job after the import`);
    const counted = performance.now();
    await fitItemPopularity(live);
    console.log(`count of popular items, as at night: ${secondsSince(counted)} s`);
    const [{ items, kept } = { items: 0n, kept: 0n }] = await live.sql.query<{ items: bigint; kept: bigint }>(
      `SELECT count(*) AS items, pg_total_relation_size('model.item_partners') AS kept
         FROM model.item_partners WHERE workspace_id = $1`,
      [product.workspaceId],
    );
    console.log(`${items} items with partners, ${(Number(kept) / 2 ** 20).toFixed(0)} MB`);
    await measureCalls(live, memberIds);
  } finally {
    await product.close();
  }
}

const contextOf = ({ owner }: BenchProduct, services: Services, mode: 'LIVE' | 'TEST'): Context =>
  createContext(services, { caller: { ...owner, mode }, requestId: 'bench' });

/** A database that does not send the statements that note baskets. */
function withoutNotes(database: Database): Database {
  const without = (sql: TransactionSql): TransactionSql => ({
    ...sql,
    copyIn: async (text, rows) => (text.includes('model.uncounted_baskets') ? 0 : sql.copyIn(text, rows)),
  });
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        (tx) =>
          work({
            prismaIn: tx.prismaIn,
            sql: without(tx.sql as TransactionSql),
          }),
        options,
      ),
  };
}

/** Imports the members and order lines; returns the ids of the members. */
async function importLines(lines: number, noted: Context, bare: Context): Promise<string[]> {
  const orders = Math.ceil(lines / LINES_OF_ORDER);
  const members = Array.from({ length: MEMBERS }, (_, n) => `m-${n},2024-01-01T00:00:00Z`);
  const { mappings } = await importRows(noted, 'MEMBERS', 'external_id,created_at', members);
  await importRows(bare, 'MEMBERS', 'external_id,created_at', members);
  const header = 'external_id,member_id,occurred_at,amount,currency,status';
  for (let from = 0; from < orders; from += UPLOAD) {
    const rows = ordersFrom(from, Math.min(UPLOAD, orders - from));
    await Promise.all([noted, bare].map((ctx) => importRows(ctx, 'ORDERS', header, rows)));
  }
  const random = seededRandom(1);
  const spent = { noted: [] as number[], bare: [] as number[] };
  for (let from = 0; from < lines; from += UPLOAD) {
    const rows = linesFrom(from, Math.min(UPLOAD, lines - from), random);
    const sides = [['noted', noted] as const, ['bare', bare] as const];
    // The sides take turns in being first.
    for (const [side, ctx] of from % (2 * UPLOAD) === 0 ? sides : sides.reverse())
      spent[side].push((await importRows(ctx, 'ORDER_LINES', LINE_HEADER, rows)).ms);
  }
  const [left] = await noted.sql.query<{ noted: number; bare: number }>(
    `SELECT count(*) FILTER (WHERE mode = 'LIVE')::int AS noted,
            count(*) FILTER (WHERE mode = 'TEST')::int AS bare
       FROM model.uncounted_baskets WHERE workspace_id = $1`,
    [noted.scope.workspaceId],
  );
  if (left!.noted < orders || left!.bare > 0) throw new Error(`noted: ${JSON.stringify(left)}`);
  const ratio = median(spent.noted.map((ms, upload) => ms / spent.bare[upload]!));
  const shown = (times: readonly number[]) =>
    `${(times.reduce((sum, ms) => sum + ms, 0) / 1_000).toFixed(1)} s`;
  console.log(
    `${lines.toLocaleString('en')} order lines: ${shown(spent.noted)}, without notes ${shown(spent.bare)}; ` +
      `median ratio of the uploads ${ratio.toFixed(3)} (bar ${IMPORT_BAR})`,
  );
  return Object.values(mappings);
}

const ordersFrom = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const order = from + n;
    const at = new Date(Date.now() - (1 + ((order * 7_919) % 400)) * DAY_MS).toISOString();
    return `o-${order},m-${(order * 31) % MEMBERS},${at},10.00,EUR,paid`;
  });

/**
 * Two of three lines of an order are from the group of its member. The popular items of the group are more
 * frequent.
 */
const linesFrom = (from: number, count: number, random: () => number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const line = from + n;
    const order = Math.floor(line / LINES_OF_ORDER);
    const group = ((order * 31) % MEMBERS) % GROUPS;
    const rank = Math.floor(GROUP_SIZE ** random()) - 1;
    const item = random() < 2 / 3 ? rank * GROUPS + group : Math.floor(ITEMS ** random());
    return `l-${line},o-${order},item-${item % ITEMS},1`;
  });

async function importRows(ctx: Context, kind: DataImportKind, header: string, rows: readonly string[]) {
  const content = `${header}\n${rows.join('\n')}\n`;
  const input = { kind, format: 'CSV', content, mapping: {} } as const;
  const begun = performance.now();
  const { issueCount, token } = await previewDataImport(ctx, input);
  if (issueCount > 0) throw new Error(`${issueCount} rows of ${kind} were refused`);
  const { mappings } = await confirmDataImport(ctx, input, token);
  return { mappings, ms: performance.now() - begun };
}

async function measureCalls(ctx: Context, memberIds: readonly string[]): Promise<void> {
  const cutoff = () => ({ ms: Date.now(), day: Math.floor(Date.now() / DAY_MS) });
  const cart = [1, 2, 3].map((rank) => `item-${rank * GROUPS}`);
  const calls = {
    'next item': (id: string) => recommendItems(ctx, id, cutoff(), 10),
    'cart of 3': (id: string) => completeCart(ctx, id, cutoff(), cart, 10),
  };
  for (const [name, call] of Object.entries(calls)) {
    for (const id of memberIds.slice(0, 200)) await call(id);
    const times: number[] = [];
    for (const id of memberIds.slice(-CALLS)) {
      const begun = performance.now();
      await call(id);
      times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * times.length)]!;
    console.log(
      `${name}: p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms (bar p50 ${P50_BAR_MS} ms)`,
    );
  }
}

const secondsSince = (begun: number): string => ((performance.now() - begun) / 1_000).toFixed(1);
