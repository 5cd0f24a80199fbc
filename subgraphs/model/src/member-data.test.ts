import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { createDayPartition, midnight } from '@loyalty/platform/database/day-partitions';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { appendFacts } from './facts/facts.service.ts';
import { cartPool } from './facts/statistics.service.ts';
import { forgetMemberJob } from './member-data.jobs.ts';
import { memberData } from './member-data.service.ts';
import { model } from './subgraph.ts';

const { newContext } = useServices();

const at = new Date('2026-02-01T12:00:00Z');

/** Inserts one row into every table that names members; the tables are read from the database's catalog. */
async function fillEverywhere(ctx: Context, memberId: string): Promise<void> {
  const common = { memberId, occurredAt: at };
  const orderId = newId(ctx.clock);
  const prefix = memberId.slice(-6);
  await ctx.transaction(async (tx) => {
    const order = { amountMinor: 500n, currency: 'EUR', status: 'PAID', orderId } as const;
    await appendFacts(tx, 'ORDERS', [{ ...common, ...order, externalId: `o-${prefix}` }]);
    const event = { type: 'cart_add', itemId: 'tea', value: null };
    await appendFacts(tx, 'EVENTS', [{ ...common, ...event, externalId: `e-${prefix}` }]);
    const line = { orderId, itemId: 'tea', quantity: 1, unitPriceMinor: 500n };
    await appendFacts(tx, 'ORDER_LINES', [{ ...common, ...line, externalId: `l-${prefix}` }]);
    const receipt = { channel: 'email', messageId: 'm', status: 'SENT' } as const;
    await appendFacts(tx, 'CHANNEL_RECEIPTS', [{ ...common, ...receipt, externalId: `r-${prefix}` }]);
  });
  const ids = [ctx.scope.workspaceId, ctx.scope.mode, memberId, newId(ctx.clock), newId(ctx.clock)];
  await createDayPartition(ctx, 'model.bulk_results', midnight(ctx.clock.now()));
  for (const statement of [
    `INSERT INTO model.member_mappings (workspace_id, mode, member_id, id, external_id, fingerprint,
       created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5::uuid::text, '', now())`,
    `INSERT INTO model.order_updates (workspace_id, mode, member_id, id, order_id, external_id, status,
       occurred_at, recorded_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $5::uuid::text, 'REFUNDED', now(), now())`,
    `INSERT INTO model.member_states (workspace_id, mode, member_id, status, cart_adds, cart_removes,
       purchase_days, sessions, purchase_reasons, long_gap_reasons, cart_removal_reasons, model_version,
       source_cutoff, updated_at)
     SELECT $1, $2::platform."Mode", $3, 'OK', 0, 0, 0, 0, 0, 0, 0, 'std-1', now(), now()
      WHERE $4::uuid <> $5::uuid`,
    `INSERT INTO model.analyses (workspace_id, mode, member_id, id, capability, status, result, credits,
       source_cutoff, model_version, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, 'c', 'OK', '{}', 1, now(), 'std-1', $5::uuid::text, now())`,
    `WITH decision AS (INSERT INTO model.decisions (workspace_id, mode, member_id, id, action, actor,
       decided_at, created_at) VALUES ($1, $2::platform."Mode", $3, $4, 'call', 'a', now(), now()))
     INSERT INTO model.decision_outcomes (workspace_id, mode, id, decision_id, outcome, actor, occurred_at,
       created_at) VALUES ($1, $2::platform."Mode", $5, $4, 'purchased', 'a', now(), now())`,
    `WITH job AS (INSERT INTO model.bulk_jobs (workspace_id, mode, id, name, idempotency_key, actor,
       source_cutoff, created_at, scanned_to_id, scan_due_at, finished_at, status)
       VALUES ($1, $2::platform."Mode", $4, 'n', $5::uuid::text, 'a', now(), now(), $3, now(), now(), 'COMPLETED'))
     INSERT INTO model.bulk_results (workspace_id, mode, job_id, member_id, status, attempts, updated_at)
     VALUES ($1, $2::platform."Mode", $4, $3, 'SUCCEEDED', 1, now())`,
  ])
    await ctx.sql.query(statement, ids);
}

async function tablesOfMembers(ctx: Context): Promise<string[]> {
  const rows = await ctx.sql.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns AS c
       JOIN pg_class AS k ON k.relname = c.table_name AND k.relnamespace = 'model'::regnamespace
      WHERE c.table_schema = 'model' AND c.column_name = 'member_id' AND NOT k.relispartition ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function countRows(ctx: Context, memberId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfMembers(ctx)) {
    const [row] = await ctx.sql.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM model.${table} WHERE member_id = $1`,
      [memberId],
    );
    counts[table] = row!.rows;
  }
  return counts;
}

/** The export section of each table; each new table needs a line. */
const sectionOf: Readonly<Record<string, string>> = {
  analyses: 'analyses',
  bulk_results: 'refreshes',
  channel_receipt_facts: 'channelReceipts',
  decisions: 'decisions',
  event_facts: 'events',
  fact_ids: 'factIds',
  member_mappings: 'externalIds',
  member_states: 'state',
  member_statistics: 'statistics',
  order_facts: 'orders',
  order_line_facts: 'orderLines',
  order_updates: 'orderUpdates',
  uncounted_baskets: 'uncountedItems',
};

test('an export holds every table that names members, and of no other member', async () => {
  const ctx = newContext();
  const [id, other] = [newId(ctx.clock), newId(ctx.clock)];
  await fillEverywhere(ctx, id);
  await fillEverywhere(ctx, other);
  expect(Object.keys(sectionOf)).toEqual(await tablesOfMembers(ctx));
  const data = await memberData(ctx, id);
  const lengths = Object.entries(data).map(([section, rows]) => [section, (rows as unknown[]).length]);
  const expected = Object.values(sectionOf).map((section) => [section, section === 'factIds' ? 4 : 1]);
  expect(Object.fromEntries(lengths)).toEqual({ ...Object.fromEntries(expected), samples: 0 });
  expect(data['orders']).toMatchObject([{ amountMinor: 500, currency: 'EUR', status: 'PAID' }]);
  expect(data['decisions']).toMatchObject([{ action: 'call', outcomes: [{ outcome: 'purchased' }] }]);
});

test('an erased member leaves nothing in any table, also when the job runs twice', async () => {
  const ctx = newContext();
  const [id, other] = [newId(ctx.clock), newId(ctx.clock)];
  await fillEverywhere(ctx, id);
  await fillEverywhere(ctx, other);
  const before = await countRows(ctx, other);
  expect(Object.values(before).every((rows) => rows > 0)).toBe(true);
  await forgetMemberJob.run(ctx, { memberId: id });
  await forgetMemberJob.run(ctx, { memberId: id });
  expect(Object.values(await countRows(ctx, id)).every((rows) => rows === 0)).toBe(true);
  expect(await countRows(ctx, other)).toEqual(before);
  expect(await cartPool(ctx)).toEqual({ adds: 1, removes: 0 });
});

test("another workspace's member is neither exported nor erased", async () => {
  const [ctx, stranger] = [newContext(), newContext()];
  const id = newId(ctx.clock);
  await fillEverywhere(ctx, id);
  const before = await countRows(ctx, id);
  await forgetMemberJob.run(stranger, { memberId: id });
  expect(await countRows(ctx, id)).toEqual(before);
  expect(Object.values(await memberData(stranger, id)).flat()).toEqual([]);
});

test('no client may ask for it', async () => {
  const ctx = newContext();
  const answer = await ask(model, ctx, `{ _modelMemberData(memberId: "${newId(ctx.clock)}") }`);
  expect(answer).toMatchObject({ code: 'FORBIDDEN' });
});
