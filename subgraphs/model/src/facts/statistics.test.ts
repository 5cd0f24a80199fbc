import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import type { EventFact, OrderFact } from './fact.ts';
import { appendFacts } from './facts.service.ts';
import { cartPool, cutoffAt, readMembers, refold, statisticsPage } from './statistics.service.ts';
import { statisticsOf } from './statistics.store.ts';
import { dayIn } from './workspace-day.ts';

const { services, newContext } = useServices();

let made = 0;
const newMember = () => newId({ now: () => new Date() });
const nextId = () => {
  made += 1;
  return `fact-${made}`;
};

const orders = (ctx: Context, memberIds: readonly string[], at: string, change: Partial<OrderFact> = {}) =>
  ctx.transaction((tx) =>
    appendFacts(
      tx,
      'ORDERS',
      memberIds.map((memberId) => ({
        externalId: nextId(),
        memberId,
        occurredAt: new Date(at),
        amountMinor: 1_000n,
        currency: 'EUR',
        status: 'PAID' as const,
        ...change,
      })),
    ),
  );
const events = (ctx: Context, memberId: string, type: string, ...at: string[]) =>
  ctx.transaction((tx) =>
    appendFacts(
      tx,
      'EVENTS',
      at.map((each): EventFact => {
        const occurredAt = new Date(each);
        return { externalId: nextId(), memberId, occurredAt, type, itemId: null, value: null };
      }),
    ),
  );
const readAt = async (ctx: Context, memberIds: readonly string[], at = '2026-03-01T00:00:00Z') =>
  (await readMembers(ctx, memberIds, await cutoffAt(ctx, new Date(at)))).members;

async function inTimeZone(ctx: Context, timeZone: string): Promise<void> {
  await ctx.sql.query(`INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, 'Shop', $2)`, [
    ctx.scope.workspaceId,
    timeZone,
  ]);
}
const isDirty = async (ctx: Context, memberId: string): Promise<boolean> => {
  const [row] = await ctx.sql.query<{ isDirty: boolean }>(
    'SELECT is_dirty FROM model.member_statistics WHERE workspace_id = $1 AND member_id = $2',
    [ctx.scope.workspaceId, memberId],
  );
  return row!.isDirty;
};

test('a row that was changed after it was read is not replaced', async () => {
  const ctx = newContext();
  const id = newMember();
  await orders(ctx, [id], '2026-01-20T10:00:00Z');
  const untilMs = Date.parse('2026-03-01T00:00:00Z');
  const { rows: before } = await statisticsOf(ctx, [id]);
  await orders(ctx, [id], '2026-01-10T10:00:00Z');
  expect(await isDirty(ctx, id)).toBe(true);
  await refold(ctx, before, untilMs, 'UTC');
  expect(await isDirty(ctx, id)).toBe(true);
  const { rows: after } = await statisticsOf(ctx, [id]);
  await refold(ctx, after, untilMs, 'UTC');
  expect(await isDirty(ctx, id)).toBe(false);
});

describe('a purchase', () => {
  test.each([
    ['UTC', 2],
    ['Asia/Tokyo', 1],
    ['America/Los_Angeles', 1],
  ])('is a day of the time zone of the workspace (%s)', async (timeZone, days) => {
    const ctx = newContext();
    await inTimeZone(ctx, timeZone);
    const id = newMember();
    await orders(ctx, [id], '2026-01-05T23:30:00Z');
    await orders(ctx, [id], '2026-01-06T00:30:00Z');
    expect((await readAt(ctx, [id])).purchaseDays[0]).toBe(days);
  });

  test('is one a day, and none without money or when it was taken back', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id, id, id], '2026-01-05T10:00:00Z');
    await orders(ctx, [id], '2026-01-06T10:00:00Z', { amountMinor: 0n });
    for (const status of ['REFUNDED', 'CANCELLED', 'PENDING'] as const)
      await orders(ctx, [id], '2026-01-07T10:00:00Z', { status });
    await orders(ctx, [id], '2026-01-09T10:00:00Z', { status: 'PARTIALLY_REFUNDED' });
    const block = await readAt(ctx, [id]);
    expect([block.purchaseDays[0], block.lastDay[0]! - block.firstDay[0]!]).toEqual([2, 4]);
    expect(block.daySquares[0]).toBe(16);
    expect(block.logSum[0]).toBeCloseTo(Math.log(4), 12);
  });

  test('30 days ago counts for half of one today', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-01T10:00:00Z');
    await orders(ctx, [id], '2026-01-31T10:00:00Z');
    expect((await readAt(ctx, [id])).decayedOrders[0]).toBeCloseTo(1.5, 12);
  });
});

describe('the months of purchases', () => {
  const bits = (...months: number[]) => months.reduce((all, month) => all | (1 << (month - 1)), 0);
  const monthsOf = async (ctx: Context, id: string) => (await readAt(ctx, [id])).purchaseMonths[0];

  test('are calendar months in the time zone of the workspace, whatever the year', async () => {
    const ctx = newContext();
    await inTimeZone(ctx, 'Asia/Tokyo');
    const id = newMember();
    expect(await monthsOf(ctx, id)).toBe(0);
    await orders(ctx, [id], '2024-11-30T16:00:00Z');
    await orders(ctx, [id], '2025-12-05T10:00:00Z');
    expect(await monthsOf(ctx, id)).toBe(bits(12));
    await orders(ctx, [id], '2026-01-05T10:00:00Z');
    expect(await monthsOf(ctx, id)).toBe(bits(12, 1));
  });

  test('of a row that is older than them are folded from its facts, once', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2025-11-05T10:00:00Z');
    await ctx.sql.query('UPDATE model.member_statistics SET purchase_months = -1 WHERE member_id = $1', [id]);
    await orders(ctx, [id], '2025-12-05T10:00:00Z');
    const stored = async () => {
      const [row] = await ctx.sql.query<{ months: number }>(
        'SELECT purchase_months AS months FROM model.member_statistics WHERE member_id = $1',
        [id],
      );
      return row!.months;
    };
    expect(await stored()).toBe(-1);
    expect(await monthsOf(ctx, id)).toBe(bits(11, 12));
    expect(await stored()).toBe(bits(11, 12));
  });
});

describe('a session', () => {
  test('ends when 30 minutes pass without an event', async () => {
    const ctx = newContext();
    const id = newMember();
    await events(ctx, id, 'view', '2026-01-05T10:00:00Z', '2026-01-05T10:29:59.999Z');
    await events(ctx, id, 'purchase', '2026-01-05T10:59:59.998Z');
    expect((await readAt(ctx, [id])).sessions[0]).toBe(1);
    await events(ctx, id, 'purchase', '2026-01-05T11:29:59.998Z');
    const block = await readAt(ctx, [id]);
    expect([block.sessions[0], block.buySessions[0], block.purchaseDays[0]]).toEqual([2, 2, 0]);
  });

  test('with purchases in two imports is one session with a purchase', async () => {
    const ctx = newContext();
    const id = newMember();
    await events(ctx, id, 'purchase', '2026-01-05T10:00:00Z');
    await events(ctx, id, 'purchase', '2026-01-05T10:10:00Z');
    const block = await readAt(ctx, [id]);
    expect([block.sessions[0], block.buySessions[0], await isDirty(ctx, id)]).toEqual([1, 1, false]);
  });
});

describe('a fact that comes late', () => {
  test('makes its row dirty, and the first reader folds it anew', async () => {
    const ctx = newContext();
    const [id, other] = [newMember(), newMember()];
    await orders(ctx, [id, other], '2026-01-20T10:00:00Z');
    await orders(ctx, [id], '2026-01-10T10:00:00Z');
    expect([await isDirty(ctx, id), await isDirty(ctx, other)]).toEqual([true, false]);
    const block = await readAt(ctx, [id, other]);
    expect([...block.purchaseDays]).toEqual([2, 1]);
    expect(await isDirty(ctx, id)).toBe(false);
    services.statements.length = 0;
    await readAt(ctx, [id, other]);
    expect(services.statements.filter((text) => text.includes('_facts'))).toEqual([]);
  });

  test('on the latest day, or of another kind, does not', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-20T10:00:00Z');
    await orders(ctx, [id], '2026-01-20T08:00:00Z');
    await events(ctx, id, 'view', '2025-12-01T08:00:00Z');
    expect(await isDirty(ctx, id)).toBe(false);
  });

  test('while its row is being folded anew is not lost', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-20T10:00:00Z');
    for (let day = 10; day < 20; day += 1) {
      await Promise.all([
        orders(ctx, [id], `2026-01-${day}T10:00:00Z`),
        ...[1, 2, 3].map(() => readAt(ctx, [id])),
      ]);
    }
    expect((await readAt(ctx, [id])).purchaseDays[0]).toBe(11);
  });
});

describe('statistics at a cutoff', () => {
  test('hold nothing that happened later, and leave the row as it is', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-05T10:00:00Z');
    await orders(ctx, [id], '2026-02-05T10:00:00Z');
    await events(ctx, id, 'cart_add', '2026-01-05T10:00:00Z', '2026-02-05T10:00:00Z');
    const before = await readAt(ctx, [id], '2026-01-05T10:00:00Z');
    expect([before.purchaseDays[0], before.events[0], before.decayedAdds[0]]).toEqual([1, 1, 1]);
    expect(before.maxOccurredMs[0]).toBe(Date.parse('2026-01-05T10:00:00Z'));
    expect((await readAt(ctx, [id], '2026-01-05T09:59:59.999Z')).events[0]).toBe(0);
    expect((await readAt(ctx, [id])).purchaseDays[0]).toBe(2);
  });

  test('do not depend on the clock', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-05T10:00:00Z');
    await events(ctx, id, 'cart_add', '2026-01-05T10:00:00Z');
    const early = await readAt(ctx, [id], '2026-02-01T00:00:00Z');
    services.clock.advance(86_400_000);
    expect(await readAt(ctx, [id], '2026-02-01T00:00:00Z')).toEqual(early);
  });

  test('are folded anew where the row is of another time zone or version', async () => {
    const ctx = newContext();
    await inTimeZone(ctx, 'Asia/Tokyo');
    const id = newMember();
    await orders(ctx, [id], '2026-01-05T23:30:00Z');
    const good = await readAt(ctx, [id]);
    for (const change of [`time_zone = 'UTC'`, 'version = 0']) {
      const set = `UPDATE model.member_statistics SET ${change}, last_day = '2020-01-01' WHERE member_id = $1`;
      await ctx.sql.query(set, [id]);
      expect(await readAt(ctx, [id])).toEqual(good);
    }
  });

  test('of another workspace or mode are empty', async () => {
    const ctx = newContext();
    const id = newMember();
    await orders(ctx, [id], '2026-01-05T10:00:00Z');
    await events(ctx, id, 'cart_add', '2026-01-05T10:00:00Z');
    const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
    for (const other of [newContext(), test]) {
      expect((await readAt(other, [id])).maxOccurredMs[0]).toBeNaN();
      expect(await cartPool(other)).toEqual({ adds: 0, removes: 0 });
    }
  });
});

test.each([1, 50])(
  '%i members and the cart pool are two statements when nothing is to fold',
  async (count) => {
    const ctx = newContext();
    await inTimeZone(ctx, 'Europe/Paris');
    const ids = Array.from({ length: count }, newMember);
    await orders(ctx, ids, '2026-01-05T10:00:00Z');
    const cutoff = await cutoffAt(ctx, new Date('2026-02-01T00:00:00Z'));
    services.statements.length = 0;
    const { members: block } = await readMembers(ctx, ids, cutoff);
    await cartPool(ctx);
    expect([services.statements.length, block.purchaseDays.every((days) => days === 1)]).toEqual([2, true]);
  },
);

test.each([1, 50])('%i members whose rows are dirty are four statements', async (count) => {
  const ctx = newContext();
  await inTimeZone(ctx, 'Europe/Paris');
  const ids = Array.from({ length: count }, newMember);
  await orders(ctx, ids, '2026-01-05T10:00:00Z');
  await orders(ctx, ids, '2026-01-01T10:00:00Z');
  services.statements.length = 0;
  const block = await readAt(ctx, ids);
  expect([services.statements.length, block.purchaseDays.every((days) => days === 2)]).toEqual([4, true]);
});

test('pages lead through all members once, in the order of their ids', async () => {
  const ctx = newContext();
  const ids = Array.from({ length: 25 }, newMember).sort();
  await orders(ctx, ids, '2026-01-05T10:00:00Z');
  const cutoff = await cutoffAt(ctx, new Date('2026-02-01T00:00:00Z'));
  const seen: string[] = [];
  for (let afterMemberId: string | null = null, size = 10; size === 10; ) {
    const page = await statisticsPage(ctx, { afterMemberId, limit: 10 }, cutoff);
    expect(page.block.purchaseDays).toEqual(new Int32Array(page.memberIds.length).fill(1));
    seen.push(...page.memberIds);
    afterMemberId = page.memberIds.at(-1) ?? null;
    size = page.memberIds.length;
  }
  expect(seen).toEqual(ids);
});

test.each(['America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'])(
  'days are those of the calendar, around every change of the clocks (%s)',
  (timeZone) => {
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    const dayOf = dayIn(timeZone);
    for (
      let ms = Date.parse('2011-11-01T00:00:00Z');
      ms < Date.parse('2013-05-01T00:00:00Z');
      ms += 3_977_123
    )
      expect(dayOf(ms)).toBe(Date.parse(`${calendar.format(ms)}T00:00:00Z`) / 86_400_000);
  },
);
