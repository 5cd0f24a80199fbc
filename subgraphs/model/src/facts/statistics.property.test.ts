import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import type { StatisticsBlock } from '../standard-model/statistics-block.ts';
import { correctOrders } from './corrections.service.ts';
import type { EventFact, OrderFact, OrderFactStatus } from './fact.ts';
import { appendFacts } from './facts.service.ts';
import { foldEvents, foldOrders } from './fold.ts';
import { cartPool, cutoffAt, readMembers } from './statistics.service.ts';
import { dayIn } from './workspace-day.ts';

const { services, newContext } = useServices();

const START_MS = Date.parse('2025-03-01T00:00:00Z');
const MEMBERS = 3;
const statuses = ['PAID', 'COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED', 'PENDING'] as const;
const types = ['view', 'cart_add', 'cart_remove', 'purchase', 'search'] as const;

// Half of the gaps are minutes rather than days, so that batches meet within sessions and days.
const minute = fc.oneof(fc.nat(90), fc.nat(3_000), fc.nat(30_000));
const order = fc.record({
  kind: fc.constant('ORDERS' as const),
  member: fc.nat(MEMBERS - 1),
  minute,
  amount: fc.constantFrom(0n, 1_250n, 99n),
  currency: fc.constantFrom('EUR', 'USD'),
  status: fc.constantFrom<OrderFactStatus>(...statuses),
});
const event = fc.record({
  kind: fc.constant('EVENTS' as const),
  member: fc.nat(MEMBERS - 1),
  minute,
  type: fc.constantFrom(...types),
});
const batch = fc.oneof(
  fc.array(order, { minLength: 1, maxLength: 12 }),
  fc.array(event, { minLength: 1, maxLength: 12 }),
);
/** A change of an order that was recorded before, by its index among them. */
const change = fc.record({ place: fc.nat(), status: fc.constantFrom<OrderFactStatus>(...statuses) });
/**
 * Most batches follow the previous ones by minutes, hours or days, so that rows are merged; some are late.
 */
const pace = fc.constantFrom(0, 25, 60, 1_440, 31_000);
const step = fc.record({ given: batch, change: fc.option(change) });
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Batch = typeof batch extends fc.Arbitrary<infer T> ? T : never;

async function newWorkspace(timeZone: string): Promise<Context> {
  const ctx = newContext();
  await ctx.sql.query(`INSERT INTO workspace.workspaces (id, name, time_zone) VALUES ($1, 'Shop', $2)`, [
    ctx.scope.workspaceId,
    timeZone,
  ]);
  return ctx;
}

const timeOf = (minutes: number) => new Date(START_MS + minutes * 60_000);

function factsOf(given: Batch, ids: readonly string[], prefix: string, later = 0) {
  const orders: OrderFact[] = [];
  const events: EventFact[] = [];
  for (const [index, one] of given.entries()) {
    const common = {
      externalId: `${prefix}-${index}`,
      memberId: ids[one.member]!,
      occurredAt: timeOf(one.minute + later),
    };
    if (one.kind === 'EVENTS') events.push({ ...common, type: one.type, itemId: null, value: null });
    else orders.push({ ...common, amountMinor: one.amount, currency: one.currency, status: one.status });
  }
  return { orders, events };
}

async function append(ctx: Context, { orders, events }: ReturnType<typeof factsOf>): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (orders.length > 0) await appendFacts(tx, 'ORDERS', orders);
    if (events.length > 0) await appendFacts(tx, 'EVENTS', events);
  });
}

/** Each change is recorded a second after the previous one. */
async function correct(ctx: Context, orders: OrderFact[], { place, status }: Change, index: number) {
  const order = orders[place % orders.length];
  if (!order) return;
  const changed = { ...order, status, recordedAt: new Date(ctx.clock.now().getTime() + index * 1_000) };
  await ctx.transaction((tx) => correctOrders(tx, [changed]));
  orders[place % orders.length] = changed;
}

function expectFolded(
  block: StatisticsBlock,
  ids: readonly string[],
  facts: { orders: OrderFact[]; events: EventFact[] },
  timeZone: string,
): void {
  for (const [row, id] of ids.entries()) {
    const timed = <T extends { memberId: string; occurredAt: Date }>(list: readonly T[]) =>
      list
        .filter(({ memberId }) => memberId === id)
        .map((fact) => ({ ...fact, ms: fact.occurredAt.getTime() }))
        .sort((a, b) => a.ms - b.ms);
    const purchases = foldOrders(timed(facts.orders), dayIn(timeZone));
    const events = foldEvents(timed(facts.events));
    for (const name of ['purchaseDays', 'firstDay', 'lastDay', 'purchaseMonths'] as const)
      expect([name, block[name][row]]).toEqual([name, purchases[name] ?? 0]);
    for (const name of ['events', 'sessions', 'buySessions'] as const)
      expect([name, block[name][row]]).toEqual([name, events[name]]);
    for (const name of ['firstEventMs', 'lastEventMs', 'lastCartMs'] as const)
      expect([name, block[name][row]]).toEqual([name, events[name] ?? Number.NaN]);
    for (const name of ['logSum', 'logSquares', 'daySquares', 'decayedOrders'] as const)
      expect(block[name][row]).toBeCloseTo(purchases[name], 9);
    for (const name of ['decayedAdds', 'decayedRemoves'] as const)
      expect(block[name][row]).toBeCloseTo(events[name], 9);
    expect(block.isLate[row]).toBe(0);
  }
}

test.each(['UTC', 'America/New_York', 'Pacific/Chatham'])(
  'statistics are those of a fold from scratch, however facts come and at every cutoff (%s)',
  async (timeZone) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.nat(60_000),
        pace,
        async (steps, middle, minutes) => {
          const ctx = await newWorkspace(timeZone);
          const ids = Array.from({ length: MEMBERS }, () => newId(ctx.clock));
          const facts = { orders: [] as OrderFact[], events: [] as EventFact[] };
          for (const [index, { given, change }] of steps.entries()) {
            const { orders, events } = factsOf(given, ids, String(index), index * minutes);
            await append(ctx, { orders, events });
            facts.orders.push(...orders);
            facts.events.push(...events);
            if (change) await correct(ctx, facts.orders, change, index);
            if (index % 2 === 0) await readMembers(ctx, ids, await cutoffAt(ctx, timeOf(middle)));
          }
          const end = await cutoffAt(ctx, timeOf(400_000));
          expectFolded((await readMembers(ctx, ids, end)).members, ids, facts, timeZone);
          // Again, from the rows that the first reading has replaced.
          expectFolded((await readMembers(ctx, ids, end)).members, ids, facts, timeZone);
          const until = timeOf(middle);
          const early = {
            orders: facts.orders.filter(({ occurredAt }) => occurredAt <= until),
            events: facts.events.filter(({ occurredAt }) => occurredAt <= until),
          };
          expectFolded(
            (await readMembers(ctx, ids, await cutoffAt(ctx, until))).members,
            ids,
            early,
            timeZone,
          );
          const count = (type: string) => facts.events.filter((one) => one.type === type).length;
          expect(await cartPool(ctx)).toEqual({ adds: count('cart_add'), removes: count('cart_remove') });
        },
      ),
      { numRuns: 60 },
    );
  },
);

const gap = fc.constantFrom(0, 1, 29, 30, 31, 200, 1_440, 50_000);
const next = fc.record({ one: fc.oneof(order, event), gap, isCut: fc.boolean() });

test('a history that is recorded in the order of its time, in batches of any size, is merged and never dirty', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(next, { minLength: 2, maxLength: 20 }), async (history) => {
      const ctx = await newWorkspace('Europe/Lisbon');
      const ids = [newId(ctx.clock)];
      const facts = { orders: [] as OrderFact[], events: [] as EventFact[] };
      let pending: Batch = [];
      let minutes = 0;
      for (const [index, { one, gap, isCut }] of history.entries()) {
        minutes += gap;
        pending = [...pending, { ...one, member: 0, minute: minutes }] as Batch;
        if (!isCut && index < history.length - 1) continue;
        const { orders, events } = factsOf(pending, ids, String(index));
        await append(ctx, { orders, events });
        facts.orders.push(...orders);
        facts.events.push(...events);
        pending = [];
      }
      services.statements.length = 0;
      const { members: block } = await readMembers(ctx, ids, await cutoffAt(ctx, timeOf(2_000_000)));
      expectFolded(block, ids, facts, 'Europe/Lisbon');
      expect(services.statements.filter((text) => text.includes('_facts'))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('imports at once for the same members end in the fold of all of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 2, maxLength: 6 }), async (given) => {
      const ctx = await newWorkspace('Europe/Lisbon');
      const ids = Array.from({ length: MEMBERS }, () => newId(ctx.clock));
      const all = given.map((each, index) => factsOf(each, ids, String(index)));
      await Promise.all(all.map((each) => append(ctx, each)));
      const facts = {
        orders: all.flatMap(({ orders }) => orders),
        events: all.flatMap(({ events }) => events),
      };
      const end = await cutoffAt(ctx, timeOf(400_000));
      expectFolded((await readMembers(ctx, ids, end)).members, ids, facts, 'Europe/Lisbon');
    }),
    { numRuns: 25 },
  );
});
