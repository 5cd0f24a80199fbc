import { describe, expect, test } from '@jest/globals';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { upsertMembers } from '@loyalty/loyalty-subgraph/member-details/member-batch.service';
import { updateMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import { requestErasure } from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { findMember } from '@loyalty/loyalty-subgraph/members/members.service';
import type { Context } from '@loyalty/platform/context';
import { listIssues } from '@loyalty/platform/imports/imports.service';
import { contextOf, useServices } from '../harness/services.ts';
import { type ImportKind, imported, queuedImport, runQueued } from './import-files.fixture.ts';

const { services, newContext } = useServices();

const issuesOf = async (ctx: Context, id: string) =>
  (await listIssues(ctx, id, {})).map(({ row, field, message }) => ({ row, field, message }));

const rowsIn = (ctx: Context, table: string, columns: string) =>
  ctx.sql.query<Record<string, unknown>>(
    `SELECT ${columns} FROM ${table} WHERE workspace_id = $1 ORDER BY 1`,
    [ctx.scope.workspaceId],
  );

describe('every row of a file is counted and reported', () => {
  const good = {
    MEMBERS: { email: 'ada@example.com' },
    ORDERS: { externalOrderId: 'A-1', occurredAt: '2026-02-01T10:00:00Z', currency: 'EUR', total: 5 },
    CATALOG: { externalId: 'P-1', name: 'Tea' },
  } as const;
  const noField =
    'The row has no value in a field of this import. Name its fields as documented, or map them.';

  test.each(Object.keys(good) as ImportKind[])('of %s as JSON', async (kind) => {
    const ctx = newContext();
    const key = Object.keys(good[kind])[0]!;
    const file = [{ foo: 1 }, {}, good[kind], { [key]: null }, { [key]: ' ' }, { nested: { email: 'x' } }];
    const job = await imported(ctx, kind, file);
    expect(job).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', total: 6, inserted: 1, failed: 5 });
    const issues = [1, 2, 4, 5, 6].map((row) => ({ row, field: null, message: noField }));
    expect(await issuesOf(ctx, job.id)).toEqual(issues);
  });

  test.each(Object.keys(good) as ImportKind[])('of %s as CSV; blank lines are none', async (kind) => {
    const ctx = newContext();
    const names = Object.keys(good[kind]);
    const cells = Object.values(good[kind]).join(',');
    const empty = ','.repeat(names.length);
    const file = `${names.join(',')},remark\n${empty}only here\n\n${cells},x\n${empty}\n`;
    const job = await imported(ctx, kind, file);
    expect(job).toMatchObject({ total: 2, inserted: 1, failed: 1 });
    const issues = await issuesOf(ctx, job.id);
    expect(issues.filter(({ row }) => row > 1)).toEqual([{ row: 2, field: null, message: noField }]);
  });

  test('of a file without any row that is understood', async () => {
    const ctx = newContext();
    const job = await imported(ctx, 'MEMBERS', [{ foo: 1 }, { bar: 2 }]);
    expect(job).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', total: 2, processed: 2, failed: 2 });
  });
});

test('a date without a time is the start of that day in the time zone of the workspace', async () => {
  const ctx = newContext();
  await ctx.sql.query('INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, $2, $3)', [
    ctx.scope.workspaceId,
    'Santiago',
    'America/Santiago',
  ]);
  const head = 'external_order_id,occurred_at,currency,total';
  const rows = ['1,2025-09-07', '2,2026-01-15', '3,2026-01-15T00:00:00Z', '4,2026-01-15 12:00'];
  const job = await imported(ctx, 'ORDERS', `${head}\n${rows.map((row) => `${row},EUR,1`).join('\n')}\n`);
  expect(job).toMatchObject({ status: 'COMPLETED', inserted: 4 });
  const found = await rowsIn(ctx, 'commerce.orders', 'external_order_id AS id, occurred_at AS at');
  expect(found.map(({ at }) => (at as Date).toISOString())).toEqual([
    '2025-09-07T04:00:00.000Z',
    '2026-01-15T03:00:00.000Z',
    '2026-01-15T00:00:00.000Z',
    '2026-01-15T12:00:00.000Z',
  ]);
});

describe('two imports of the same at once', () => {
  const people = Array.from({ length: 400 }, (_, at) => `p${at}@example.com`);

  test('enrol new members once, and the later one updates them', async () => {
    const ctx = newContext();
    const file = (name: string, emails: readonly string[]) =>
      emails.map((email) => ({ email, [name]: name === 'phone' ? '+351912345678' : 'Ada' }));
    const files = [file('full_name', people), file('phone', people.toReversed()), file('full_name', people)];
    const ids = await Promise.all(files.map((rows) => queuedImport(ctx, 'MEMBERS', rows)));
    const jobs = await Promise.all(
      ids.map((id) => runQueued(contextOf(services, ctx.caller), 'MEMBERS', id)),
    );
    for (const job of jobs) expect(job).toMatchObject({ status: 'COMPLETED', failed: 0, processed: 400 });
    const sum = (key: 'inserted' | 'updated') => jobs.reduce((total, job) => total + job[key], 0);
    expect([sum('inserted'), sum('updated')]).toEqual([400, 800]);
    const members = await rowsIn(
      ctx,
      'loyalty.members',
      'id, name_sealed IS NOT NULL AS name, phone_sealed IS NOT NULL AS phone',
    );
    expect(members).toHaveLength(400);
    expect(members.every(({ name, phone }) => name && phone)).toBe(true);
  });

  test('leave new members alone where they are to skip known ones', async () => {
    const ctx = newContext();
    const rows = people.map((email) => ({ email }));
    const ids = await Promise.all([0, 1].map(() => queuedImport(ctx, 'MEMBERS', rows, 'SKIP')));
    const jobs = await Promise.all(
      ids.map((id) => runQueued(contextOf(services, ctx.caller), 'MEMBERS', id)),
    );
    const sum = (key: 'inserted' | 'skipped' | 'failed') => jobs.reduce((all, job) => all + job[key], 0);
    expect([sum('inserted'), sum('skipped'), sum('failed')]).toEqual([400, 400, 0]);
  });

  test('keep of products what only one of them says', async () => {
    const ctx = newContext();
    const file = (more: object) => people.map((_, at) => ({ externalId: `P-${at}`, name: 'Tea', ...more }));
    const files = [file({ sku: 'S' }), file({ description: 'Green' }), file({ price: 5, currency: 'EUR' })];
    const ids = await Promise.all(files.map((rows) => queuedImport(ctx, 'CATALOG', rows)));
    const jobs = await Promise.all(
      ids.map((id) => runQueued(contextOf(services, ctx.caller), 'CATALOG', id)),
    );
    for (const job of jobs) expect(job).toMatchObject({ status: 'COMPLETED', failed: 0 });
    const products = await rowsIn(ctx, 'commerce.products', 'external_id, sku, description, currency');
    expect(products).toHaveLength(400);
    for (const product of products)
      expect(product).toMatchObject({ sku: 'S', description: 'Green', currency: 'EUR' });
  });
});

describe('the id of a member as an external id of another one', () => {
  const taken = { category: 'CONFLICT', code: 'EXTERNAL_ID_EXISTS' };

  test('is refused wherever external ids are given', async () => {
    const ctx = newContext();
    const [ada, bo] = [await given.member(ctx), await given.member(ctx, { email: 'bo@example.com' })];
    for (const externalId of [ada.id, ada.id.toUpperCase()]) {
      await expect(given.member(ctx, { externalId })).rejects.toMatchObject(taken);
      await expect(updateMember(ctx, bo.id, { externalId })).rejects.toMatchObject(taken);
      const rows = ['bo@example.com', 'new@example.com'].map((email) => ({ email, externalId }));
      const { results } = await upsertMembers(ctx, rows as never);
      expect(results.map(({ errorCode }) => errorCode)).toEqual([taken.code, taken.code]);
      const job = await imported(ctx, 'MEMBERS', rows);
      expect(job).toMatchObject({ inserted: 0, updated: 0, failed: 2 });
      const message = 'external_id belongs to another member.';
      const issues = [1, 2].map((row) => ({ row, field: 'external_id', message }));
      expect(await issuesOf(ctx, job.id)).toEqual(issues);
    }
    expect((await findMember(ctx, bo.id))!.externalId).toBeNull();
  });

  test('is taken from the member itself, and UUIDs of other systems from anybody', async () => {
    const ctx = newContext();
    const ada = await given.member(ctx);
    expect((await updateMember(ctx, ada.id, { externalId: ada.id })).externalId).toBe(ada.id);
    const foreign = '3b241101-e2bb-4255-8caf-4136c566a962';
    expect((await given.member(ctx, { externalId: foreign })).externalId).toBe(foreign);
  });
});

test('nothing is imported to a member that is being erased', async () => {
  const ctx = newContext();
  const { id } = await given.member(ctx, { email: 'gone@example.com', externalId: 'gone' });
  await requestErasure(ctx, id);
  const job = await imported(ctx, 'MEMBERS', [{ email: 'gone@example.com', fullName: 'Gone' }]);
  expect(job).toMatchObject({ updated: 0, failed: 1 });
  expect(await issuesOf(ctx, job.id)).toEqual([
    { row: 1, field: 'email', message: 'email is of a member that is being erased; leave the row out.' },
  ]);
  const sale = { occurredAt: '2026-02-01T10:00:00Z', currency: 'EUR', total: 5 };
  const orders = await imported(ctx, 'ORDERS', [
    { externalOrderId: '1', memberId: id, ...sale },
    { externalOrderId: '2', memberEmail: 'gone@example.com', ...sale },
    { externalOrderId: '3', memberExternalId: 'gone', ...sale },
    { externalOrderId: '4', ...sale },
  ]);
  expect(orders).toMatchObject({ inserted: 1, failed: 3 });
});

describe('an order that is imported again', () => {
  const order = {
    externalOrderId: 'A-1',
    occurredAt: '2026-02-01T10:00:00Z',
    currency: 'EUR',
    total: 1_000,
    subtotal: 900,
    discount: 10,
    tax: 100,
    shipping: 20,
    status: 'paid',
    items: [{ sku: 'x', name: 'X', quantity: 1, unitPrice: 900 }],
  };
  const kept = `occurred_at, currency, total_minor, subtotal_minor, discount_minor, tax_minor, shipping_minor,
    status, items, member_id, store_id`;

  test.each([
    ['occurredAt', '2026-02-01T10:00:01Z', 'occurredAt', new Date('2026-02-01T10:00:01Z')],
    ['currency', 'USD', 'currency', 'USD'],
    ['total', 1_001, 'totalMinor', 1_001n],
    ['subtotal', 901, 'subtotalMinor', 901n],
    ['discount', 11, 'discountMinor', 11n],
    ['tax', 101, 'taxMinor', 101n],
    ['shipping', 21, 'shippingMinor', 21n],
    ['status', 'fulfilled', 'status', 'FULFILLED'],
    ['items', [{ ...order.items[0], quantity: 2 }], 'items', [expect.objectContaining({ quantity: 2 })]],
  ] as const)('with another %s takes it over and keeps the rest', async (name, value, column, becomes) => {
    const ctx = newContext();
    await imported(ctx, 'ORDERS', [order]);
    const [before] = await rowsIn(ctx, 'commerce.orders', kept);
    expect(await imported(ctx, 'ORDERS', [order])).toMatchObject({ updated: 0, skipped: 1 });
    const job = await imported(ctx, 'ORDERS', [{ ...order, [name]: value }]);
    expect(job).toMatchObject({ status: 'COMPLETED', inserted: 0, updated: 1, skipped: 0 });
    expect(await rowsIn(ctx, 'commerce.orders', kept)).toEqual([{ ...before, [column]: becomes }]);
  });

  test('with another member or store takes them over', async () => {
    const ctx = newContext();
    const [ada, bo] = [await given.member(ctx), await given.member(ctx)];
    const store = '01890a5d-ac96-774b-bcce-b302099a8057';
    await ctx.sql.query(
      `INSERT INTO commerce.stores (id, workspace_id, name, address, status, created_at, updated_at)
       VALUES ($1, $2, 'Corner', 'Street 1', 'ACTIVE', now(), now())`,
      [store, ctx.scope.workspaceId],
    );
    await imported(ctx, 'ORDERS', [{ ...order, memberId: ada.id }]);
    for (const change of [{ memberId: bo.id }, { memberId: bo.id, storeId: store }, { storeId: store }]) {
      expect(await imported(ctx, 'ORDERS', [{ ...order, ...change }])).toMatchObject({ updated: 1 });
      const [found] = await rowsIn(ctx, 'commerce.orders', 'member_id, store_id');
      expect(found).toEqual({ memberId: change.memberId ?? null, storeId: change.storeId ?? null });
    }
  });
});
