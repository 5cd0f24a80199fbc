import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { ingestImportedOrdersJob, ingestMemberOrdersJob, ingestOrderJob } from './facts.jobs.ts';
import { appendFacts, compareFacts, countFacts } from './facts.service.ts';
import { cutoffAt, readMembers } from './statistics.service.ts';

const { ctx } = useServices();
let memberId: string;
beforeEach(async () => {
  memberId = await given.member();
});

let made = 0;
/** Rows of other subgraphs are written directly. */
const given = {
  member: async (): Promise<string> => {
    made += 1;
    const query = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
    const variables = { input: { email: `buyer-${made}@example.com` } };
    const answer = await askPeer(ctx, 'loyalty', query, variables);
    return (answer['createMember'] as { id: string }).id;
  },
  order: async (details: Partial<OrderRow> = {}): Promise<string> => {
    made += 1;
    const row = { ...sale(), ...details };
    await ctx.sql.query(
      `INSERT INTO commerce.orders (id, workspace_id, mode, external_order_id, member_id, status, currency,
         total_minor, refunded_minor, items, fingerprint, import_id, occurred_at, created_at, updated_at)
       VALUES ($1, $2, 'LIVE', $3, $4, $5::commerce."OrderStatus", 'EUR', $6, $7, $8, '', $9, $10, $11, $11)`,
      [
        row.id,
        ctx.scope.workspaceId,
        row.externalId,
        row.memberId,
        row.status,
        row.total,
        row.refunded,
        JSON.stringify(row.items),
        row.importId,
        row.at,
        row.updatedAt,
      ],
    );
    return row.id;
  },
  change: (id: string, set: string, at: string) =>
    ctx.sql.query(`UPDATE commerce.orders SET ${set}, updated_at = $2 WHERE id = $1`, [id, at]),
};

const sale = () => ({
  id: newId(ctx.clock),
  externalId: `sale-${made}`,
  memberId: memberId as string | null,
  status: 'PAID',
  total: 1_000,
  refunded: 0,
  items: [] as object[],
  importId: null as string | null,
  at: '2026-01-10T10:00:00Z',
  updatedAt: '2026-01-10T10:00:00Z',
});
type OrderRow = ReturnType<typeof sale>;

const ingest = (orderId: string) => ingestOrderJob.run(ctx, { orderId });
async function daysOf(id = memberId): Promise<number> {
  const { members: block } = await readMembers(ctx, [id], await cutoffAt(ctx, ctx.clock.now()));
  return block.purchaseDays[0]!;
}

describe('an order of commerce', () => {
  test('is a fact with its lines, however often its job runs', async () => {
    const item = { productId: null, externalProductId: 'tea', sku: 'T1', quantity: 2, unitPriceMinor: 500 };
    const items = [
      item,
      { ...item, externalProductId: null },
      { ...item, externalProductId: null, sku: null },
    ];
    const id = await given.order({ items });
    await Promise.all([ingest(id), ingest(id)]);
    await ingest(id);
    expect(await countFacts(ctx)).toMatchObject({ ORDERS: 1, ORDER_LINES: 2 });
    expect(await daysOf()).toBe(1);
    const lines = await ctx.sql.query(
      `SELECT item_id AS item, quantity, unit_price_minor AS price, order_id
         FROM model.order_line_facts WHERE workspace_id = $1 ORDER BY item_id`,
      [ctx.scope.workspaceId],
    );
    expect(lines).toEqual([
      { item: 'T1', quantity: 2, price: 500n, orderId: id },
      { item: 'tea', quantity: 2, price: 500n, orderId: id },
    ]);
  });

  test('is the same fact as the one from an import of the model', async () => {
    const fact = {
      externalId: 'shared',
      memberId,
      occurredAt: new Date('2026-01-10T10:00:00Z'),
      amountMinor: 1_000n,
      currency: 'EUR',
      status: 'COMPLETED',
    } as const;
    await ctx.transaction((tx) => appendFacts(tx, 'ORDERS', [fact]));
    await ingest(await given.order({ externalId: 'shared', status: 'FULFILLED' }));
    expect((await countFacts(ctx)).ORDERS).toBe(1);
    const later = { ...fact, externalId: 'later' };
    await ingest(await given.order({ externalId: 'later', status: 'FULFILLED' }));
    expect((await compareFacts(ctx, 'ORDERS', [later])).same).toEqual([0]);
  });

  test.each([
    ['PLACED', 0],
    ['PAID', 1],
    ['FULFILLED', 1],
    ['PARTIALLY_REFUNDED', 1],
    ['REFUNDED', 0],
    ['CANCELLED', 0],
  ])('that is %s makes %i days with a purchase', async (status, days) => {
    await ingest(await given.order({ status }));
    expect(await daysOf()).toBe(days);
  });

  test('counts no more once all of it is refunded, at any moment that is asked about', async () => {
    const id = await given.order();
    await ingest(id);
    expect(await daysOf()).toBe(1);
    await given.change(id, `status = 'REFUNDED', refunded_minor = total_minor`, '2026-01-12T10:00:00Z');
    await ingest(id);
    await ingest(id);
    expect(await daysOf()).toBe(0);
    const rows = await ctx.sql.query('SELECT 1 FROM model.order_facts WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect(rows).toHaveLength(2);
  });

  test('is not changed by what was asked before a later change', async () => {
    const id = await given.order({ status: 'PAID', updatedAt: '2026-01-15T10:00:00Z' });
    await ingest(id);
    await given.change(id, `status = 'CANCELLED'`, '2026-01-14T10:00:00Z');
    await ingest(id);
    expect(await daysOf()).toBe(1);
  });

  test('that goes to another member, or to none, is counted there', async () => {
    const other = await given.member();
    const id = await given.order();
    await ingest(id);
    await given.change(id, `member_id = '${other}'`, '2026-01-12T10:00:00Z');
    await ingest(id);
    expect([await daysOf(), await daysOf(other)]).toEqual([0, 1]);
    await given.change(id, 'member_id = NULL', '2026-01-13T10:00:00Z');
    await ingest(id);
    expect([await daysOf(), await daysOf(other)]).toEqual([0, 0]);
  });

  test('of a guest is passed over', async () => {
    await ingest(await given.order({ memberId: null }));
    expect((await countFacts(ctx)).ORDERS).toBe(0);
  });

  test('of a restricted member is ingested when the restriction ends, and not before', async () => {
    const restrict = (is: boolean) =>
      ctx.sql.query('UPDATE loyalty.members SET is_restricted = $2 WHERE id = $1', [memberId, is]);
    await restrict(true);
    await ingest(await given.order());
    await ingestMemberOrdersJob.run(ctx, { memberId, isRestricted: true });
    expect((await countFacts(ctx)).ORDERS).toBe(0);
    await restrict(false);
    await ingestMemberOrdersJob.run(ctx, { memberId, isRestricted: false });
    expect(await daysOf()).toBe(1);
  });

  test('of a member whose erasure was asked for is ingested when that is cancelled, and not before', async () => {
    const become = (status: string) =>
      ctx.sql.query('UPDATE loyalty.members SET status = $2::loyalty."MemberStatus" WHERE id = $1', [
        memberId,
        status,
      ]);
    await become('DEACTIVATION_PENDING');
    await ingest(await given.order());
    expect((await countFacts(ctx)).ORDERS).toBe(0);
    await become('ACTIVE');
    await ingestMemberOrdersJob.run(ctx, { memberId });
    expect(await daysOf()).toBe(1);
  });
});

test('an import is ingested page by page, and no order beside it', async () => {
  const importId = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO commerce.orders (id, workspace_id, mode, external_order_id, member_id, status, currency,
       total_minor, refunded_minor, items, fingerprint, import_id, occurred_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'LIVE', 'bulk-' || n, $2, 'PAID', 'EUR', 100, 0, '[]', '', $3,
            timestamptz '2024-01-01T12:00Z' + n % 700 * interval '1 day', now(), now()
       FROM generate_series(1, 2100) AS n`,
    [ctx.scope.workspaceId, memberId, importId],
  );
  await given.order();
  await ingestImportedOrdersJob.run(ctx, { importId });
  await ingestImportedOrdersJob.run(ctx, { importId });
  expect((await countFacts(ctx)).ORDERS).toBe(2_100);
  expect(await daysOf()).toBe(700);
});
