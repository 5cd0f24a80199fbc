import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { ask } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { call } from '../capabilities/capabilities.fixture.ts';
import { balanceOf, csv, faultsOf, imported, orderHeader } from '../imports/data-imports.fixture.ts';
import { confirmDataImport, getDataImports, previewDataImport } from '../imports/data-imports.service.ts';
import { forgetMemberJob } from '../member-data.jobs.ts';
import { memberData } from '../member-data.service.ts';
import { model } from '../subgraph.ts';
import { purgeModelTestDataJob } from '../test-data.jobs.ts';
import { correctOrders } from './corrections.service.ts';
import { keptRows, orderNow, paidOrders, updates } from './order-updates.fixture.ts';
import { cutoffAt, readMembers } from './statistics.service.ts';

const { services, newContext } = useServices();

describe('a confirmed correction', () => {
  test('changes the order, is free, counted, and published as an import', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 2);
    const file = updates('u1,o1,Refunded,0,eur,2026-02-01', 'u2,o2,partial refund,12.50,,2026-02-01');
    const { batch, inserted } = await imported(ctx, file);
    expect([batch.kind, inserted, batch.charged, await balanceOf(ctx)]).toEqual([
      ...['ORDER_UPDATES', 2, 0, 50_000n],
    ]);
    expect([await orderNow(ctx), await orderNow(ctx, 'o2')]).toEqual([
      ['REFUNDED', 0n],
      ['PARTIALLY_REFUNDED', 1_250n],
    ]);
    expect((await getDataImports(ctx)).counts).toMatchObject({ orders: 2, orderUpdates: 2 });
    const published = await ctx.sql.query(
      `SELECT 1 FROM platform.outbox WHERE workspace_id = $1 AND type = 'data.imported'
          AND payload->>'kind' = 'ORDER_UPDATES'`,
      [ctx.scope.workspaceId],
    );
    expect(published).toHaveLength(1);
  });

  test('again changes nothing, also twice in one file; under its id other data is a conflict', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 2);
    const line = 'u1,o1,refunded,,,2026-02-01';
    expect(await imported(ctx, updates(line, line))).toMatchObject({ inserted: 1, skipped: 1 });
    const before = await keptRows(ctx);
    expect(await imported(ctx, updates(line))).toMatchObject({ inserted: 0, skipped: 1 });
    expect([before, await keptRows(ctx)]).toEqual([
      [3, 1],
      [3, 1],
    ]);
    for (const other of [
      'u1,o2,refunded,,,2026-02-01',
      'u1,o1,cancelled,,,2026-02-01',
      'u1,o1,refunded,0,,2026-02-01',
      'u1,o1,refunded,,,2026-02-02',
    ])
      expect(await faultsOf(ctx, updates(other))).toEqual([[2, 'external_id', 'ID_CONFLICT']]);
    const twice = updates('u2,o1,refunded,,,2026-02-01', 'u2,o1,cancelled,,,2026-02-01');
    expect(await faultsOf(ctx, twice)).toEqual([[3, 'external_id', 'ID_CONFLICT']]);
    expect(await keptRows(ctx)).toEqual([3, 1]);
  });

  test('leaves the order importable again as it first was, which changes nothing', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    await imported(ctx, updates('u1,o1,refunded,,,2026-02-01'));
    const order = csv('ORDERS', orderHeader, 'o1,m1,2026-01-05T10:00:00Z,30,EUR,paid');
    expect(await imported(ctx, order)).toMatchObject({ inserted: 0, skipped: 1 });
    expect(await orderNow(ctx)).toEqual(['REFUNDED', 3_000n]);
  });
});

describe('of corrections of one order', () => {
  const lines = [
    'u1,o1,partially_refunded,20,,2026-02-01T10:00:00Z',
    'u2,o1,partially_refunded,10,,2026-02-02T10:00:00Z',
    'u3,o1,completed,,,2026-02-03T10:00:00Z',
  ];
  test.each(permutations(lines).map((order) => [order]))('the latest counts: %j', async (order) => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    for (const line of order) await imported(ctx, updates(line));
    expect(await orderNow(ctx)).toEqual(['COMPLETED', 1_000n]);
    const together = newContext();
    await paidOrders(together, 1);
    await imported(together, updates(...order));
    expect(await orderNow(together)).toEqual(['COMPLETED', 1_000n]);
  });

  test('at the same time the one with the greater id counts', async () => {
    for (const order of [
      ['u1', 'u2'],
      ['u2', 'u1'],
    ]) {
      const ctx = newContext();
      await paidOrders(ctx, 1);
      for (const id of order)
        await imported(ctx, updates(`${id},o1,${id === 'u2' ? 'paid' : 'refunded'},,,2026-02-01`));
      expect((await orderNow(ctx))[0]).toBe('PAID');
    }
  });

  test('and of commerce the latest counts, too', async () => {
    const ctx = newContext();
    const memberId = await paidOrders(ctx, 1);
    const occurredAt = new Date('2026-01-05T10:00:00Z');
    const order = { externalId: 'o1', memberId, occurredAt, amountMinor: 500n, currency: 'EUR' };
    const recordedAt = new Date('2026-03-02T12:00:00Z');
    await imported(ctx, updates('u1,o1,refunded,,,2026-02-01'));
    await ctx.transaction((tx) => correctOrders(tx, [{ ...order, status: 'COMPLETED', recordedAt }]));
    await imported(ctx, updates('u2,o1,cancelled,,,2026-02-02'));
    expect(await orderNow(ctx)).toEqual(['COMPLETED', 500n]);
    await imported(ctx, updates('u3,o1,cancelled,,,2026-03-02T12:00:00.001Z'));
    expect(await orderNow(ctx)).toEqual(['CANCELLED', 500n]);
  });
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first, at) =>
    permutations(list.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}

describe('at the same time', () => {
  test('confirmations of many files of one order leave its latest correction', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    const files = Array.from({ length: 8 }, (_, at) =>
      updates(`u${at},o1,partially_refunded,${20 - at},,2026-02-0${at + 1}`),
    );
    const previews = await Promise.all(files.map((file) => previewDataImport(ctx, file)));
    await Promise.all(files.map((file, at) => confirmDataImport(ctx, file, previews[at]!.token)));
    expect(await orderNow(ctx)).toEqual(['PARTIALLY_REFUNDED', 1_300n]);
    expect((await keptRows(ctx))[1]).toBe(8);
  });

  test('two confirmations of one id with other data: one of them is a conflict', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 2);
    const files = [updates('u1,o1,refunded,,,2026-02-01'), updates('u1,o2,refunded,,,2026-02-01')];
    const previews = await Promise.all(files.map((file) => previewDataImport(ctx, file)));
    const settled = await Promise.allSettled(
      files.map((file, at) => confirmDataImport(ctx, file, previews[at]!.token)),
    );
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = settled.find((each) => each.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'IMPORT_CONFLICT' });
    expect(await keptRows(ctx)).toEqual([3, 1]);
  });

  test('the same rows in opposite orders are kept once, and nobody waits for ever', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 20);
    const lines = Array.from({ length: 20 }, (_, at) => `u${at},o${20 - at},refunded,,,2026-02-01`);
    const files = [updates(...lines), updates(...lines.toReversed())];
    const previews = await Promise.all(files.map((file) => previewDataImport(ctx, file)));
    const confirmed = await Promise.all(
      files.map((file, at) => confirmDataImport(ctx, file, previews[at]!.token)),
    );
    expect(confirmed.map(({ inserted }) => inserted).sort()).toEqual([0, 20]);
    expect(await keptRows(ctx)).toEqual([40, 20]);
  });
});

describe('statistics', () => {
  const daysAt = async (ctx: Context, memberId: string, at: string): Promise<number> =>
    (await readMembers(ctx, [memberId], await cutoffAt(ctx, new Date(at)))).members.purchaseDays[0]!;

  test('and scores are those of the orders as they are after their corrections', async () => {
    const [ctx, plain] = [newContext(), newContext()];
    const [corrected, without] = [await paidOrders(ctx), await paidOrders(plain, 2)];
    const findingsOf = async (of: Context, id: string) => {
      const { data, message } = await call(of, 'model_get_consumer_state', { member_id: id });
      if (message) throw new Error(message);
      return data.callCapability.data;
    };
    const before = await findingsOf(ctx, corrected);
    expect(await daysAt(ctx, corrected, '2026-03-01T00:00:00Z')).toBe(4);
    await imported(ctx, updates('u3,o3,refunded,,,2026-02-01', 'u4,o4,paid,0,,2026-02-05'));
    expect(await daysAt(ctx, corrected, '2026-03-01T00:00:00Z')).toBe(2);
    const [after, expected] = [await findingsOf(ctx, corrected), await findingsOf(plain, without)];
    expect(before.purchase.score).toEqual(expect.any(Number));
    expect(after.purchase.score).not.toBe(before.purchase.score);
    const { analysis_id, member_id } = after;
    expect(after).toEqual({ ...expected, analysis_id, member_id });
  });

  test('up to a moment before the corrections count them, as late facts', async () => {
    const ctx = newContext();
    const memberId = await paidOrders(ctx);
    expect(await daysAt(ctx, memberId, '2026-01-20T00:00:00Z')).toBe(2);
    await imported(ctx, updates('u1,o1,cancelled,,,2026-02-01'));
    services.statements.length = 0;
    expect(await daysAt(ctx, memberId, '2026-01-20T00:00:00Z')).toBe(1);
    expect(services.statements.some((text) => text.includes('order_facts'))).toBe(true);
    expect(await daysAt(ctx, memberId, '2026-03-01T00:00:00Z')).toBe(3);
  });
});

test('an export lists corrections, and an erased member leaves none', async () => {
  const ctx = newContext();
  const memberId = await paidOrders(ctx, 1);
  await imported(ctx, updates('u1,o1,partially_refunded,10,,2026-02-01'));
  const { orders, orderUpdates } = (await memberData(ctx, memberId)) as Record<string, unknown[]>;
  expect(orderUpdates).toMatchObject([
    { externalId: 'u1', status: 'PARTIALLY_REFUNDED', amountMinor: 1_000 },
  ]);
  expect(orders).toMatchObject([{ status: 'PAID' }, { status: 'PARTIALLY_REFUNDED' }]);
  await forgetMemberJob.run(ctx, { memberId });
  expect(await keptRows(ctx)).toEqual([0, 0]);
});

test('a correction of a member who was erased after the preview is a conflict', async () => {
  const ctx = newContext();
  const memberId = await paidOrders(ctx, 1);
  const file = updates('u1,o1,refunded,,,2026-02-01');
  const { token } = await previewDataImport(ctx, file);
  await forgetMemberJob.run(ctx, { memberId });
  await expect(confirmDataImport(ctx, file, token)).rejects.toMatchObject({ code: 'IMPORT_HAS_ISSUES' });
  expect(await keptRows(ctx)).toEqual([0, 0]);
});

test('a purge of the sandbox deletes its corrections, and none of live orders', async () => {
  const live = newContext();
  const sandbox = newContext({ workspaceId: live.scope.workspaceId, mode: 'TEST' });
  for (const ctx of [live, sandbox]) {
    await paidOrders(ctx, 1);
    await imported(ctx, updates('u1,o1,refunded,,,2026-02-01'));
  }
  expect(await keptRows(live)).toEqual([4, 2]);
  await purgeModelTestDataJob.run(live, { purgeId: newId(live.clock) });
  expect([await keptRows(live), await orderNow(live)]).toEqual([
    [2, 1],
    ['REFUNDED', 3_000n],
  ]);
});

test('the graph previews and confirms corrections', async () => {
  const ctx = newContext();
  await paidOrders(ctx, 1);
  const input = updates('u1,o1,refunded,,,2026-02-01');
  const PREVIEW = `mutation ($input: DataImportInput!) {
    previewDataImport(input: $input) { issueCount inserted cost token } }`;
  const { previewDataImport: preview } = (await ask(model, ctx, PREVIEW, { input })).data;
  expect(preview).toMatchObject({ issueCount: 0, inserted: 1, cost: 0 });
  const CONFIRM = `mutation ($input: DataImportInput!, $token: String) {
    confirmDataImport(input: $input, token: $token) { batch { kind charged } inserted } }`;
  const { data } = await ask(model, ctx, CONFIRM, { input, token: preview.token });
  expect(data.confirmDataImport).toEqual({ batch: { kind: 'ORDER_UPDATES', charged: 0 }, inserted: 1 });
  expect(
    (await ask(model, ctx, '{ dataImports { counts { orderUpdates } } }')).data.dataImports.counts,
  ).toEqual({
    orderUpdates: 1,
  });
});

test.each([1, 50])('%i corrections are as many statements', async (count) => {
  const ctx = newContext();
  await paidOrders(ctx, count);
  const lines = Array.from({ length: count }, (_, at) => `u${at},o${at + 1},refunded,1,,2026-02-01`);
  const { token } = await previewDataImport(ctx, updates(...lines));
  services.statements.length = 0;
  await confirmDataImport(ctx, updates(...lines), token);
  statements.push(services.statements.length);
  expect(new Set(statements).size).toBe(1);
});
const statements: number[] = [];
