import { describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { keptRows, orderNow, paidOrders, updates } from '../facts/order-updates.fixture.ts';
import { faultsOf } from './data-imports.fixture.ts';
import { confirmDataImport, previewDataImport } from './data-imports.service.ts';

const { newContext } = useServices();

describe('a correction with', () => {
  test.each([
    ['no id', ',o1,refunded,,,2026-02-01', 'external_id', 'REQUIRED'],
    ['no order', 'u1,,refunded,,,2026-02-01', 'order_id', 'REQUIRED'],
    ['an order that nobody knows', 'u1,o9,refunded,,,2026-02-01', 'order_id', 'UNKNOWN_ORDER'],
    ['no status', 'u1,o1,,,,2026-02-01', 'status', 'REQUIRED'],
    ['a status that means nothing', 'u1,o1,lost,,,2026-02-01', 'status', 'INVALID_VALUE'],
    ['a negative amount', 'u1,o1,refunded,-1,,2026-02-01', 'amount', 'INVALID_VALUE'],
    ['an amount above the order', 'u1,o1,paid,30.01,,2026-02-01', 'amount', 'INVALID_VALUE'],
    ['three decimals of EUR', 'u1,o1,paid,1.005,,2026-02-01', 'amount', 'INVALID_VALUE'],
    ['another currency', 'u1,o1,paid,1,USD,2026-02-01', 'currency', 'INVALID_VALUE'],
    ['a currency that is none', 'u1,o1,paid,1,XYZ,2026-02-01', 'currency', 'INVALID_VALUE'],
    ['no time', 'u1,o1,refunded,,,', 'occurred_at', 'REQUIRED'],
    ['a time two days ahead', 'u1,o1,refunded,,,2026-03-04T11:00:00Z', 'occurred_at', 'INVALID_VALUE'],
  ])('%s is an issue, and nothing can be confirmed', async (_, line, column, code) => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    const good = 'u2,o1,cancelled,,,2026-02-01';
    expect(await faultsOf(ctx, updates(good, line))).toEqual([[3, column, code]]);
    const { token } = await previewDataImport(ctx, updates(good, line));
    const confirmed = confirmDataImport(ctx, updates(good, line), token);
    await expect(confirmed).rejects.toMatchObject({ code: 'IMPORT_HAS_ISSUES' });
    expect([await keptRows(ctx), await orderNow(ctx)]).toEqual([
      [1, 0],
      ['PAID', 3_000n],
    ]);
  });

  test("an order of another workspace or mode is an issue, and the other's order stays", async () => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    const inTest = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    for (const other of [newContext(), inTest])
      expect(await faultsOf(other, updates('u1,o1,refunded,,,2026-02-01'))).toEqual([
        [2, 'order_id', 'UNKNOWN_ORDER'],
      ]);
    expect(await orderNow(ctx)).toEqual(['PAID', 3_000n]);
  });

  test('an order of a restricted member is an issue', async () => {
    const ctx = newContext();
    await paidOrders(ctx, 1);
    const restrict = 'UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1';
    await ctx.sql.query(restrict, [ctx.scope.workspaceId]);
    expect(await faultsOf(ctx, updates('u1,o1,refunded,,,2026-02-01'))).toEqual([
      [2, 'order_id', 'MEMBER_RESTRICTED'],
    ]);
  });
});
