import { expect, test } from '@jest/globals';
import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { givenRecipients, givenSentCampaign } from './attribution.fixture.ts';
import { givenAttributed, holdOut } from './campaign-results.fixture.ts';
import { campaignResults } from './campaign-results.service.ts';

const { services, ctx, fresh } = useServices();

const WINDOW_DAYS = 3;
const VARIANTS = ['a', 'b', 'c'] as const;

const people = fc.array(
  fc.record({
    memberId: fc.constant(null).map(() => newId(services.clock)),
    variant: fc.constantFrom(...VARIANTS),
    state: fc.constantFrom('WAITING' as const, 'QUEUED' as const, 'HELD_OUT' as const, 'SKIPPED' as const),
    dueHours: fc.integer({ min: -240, max: 24 }),
    orders: fc.array(
      fc.record({
        hours: fc.integer({ min: -260, max: 0 }),
        isTouched: fc.boolean(),
        revenueMinor: fc.nat({ max: 100_000 }),
      }),
      { maxLength: 4 },
    ),
  }),
  { minLength: 1, maxLength: 40 },
);
type Person = (typeof people extends fc.Arbitrary<infer People> ? People : never)[number];

const at = (hours: number): Date => addMs(services.clock.now(), hours * HOUR_MS);

/** Inserts a campaign to these people, with their orders. */
async function givenCampaign(given: readonly Person[]): Promise<string> {
  const id = await givenSentCampaign(ctx, { variants: VARIANTS, attributionDays: WINDOW_DAYS });
  await holdOut(ctx, id, 10);
  await givenRecipients(
    ctx,
    id,
    given.map(({ dueHours, ...person }) => ({ ...person, dueAt: at(dueHours) })),
  );
  const orders = given.flatMap(({ memberId, variant, state, orders: own }) =>
    own.map(({ hours, isTouched, revenueMinor }) => ({
      memberId,
      variant,
      isHeldOut: state === 'HELD_OUT',
      isLastTouch: isTouched && state !== 'HELD_OUT',
      orderedAt: at(hours),
      revenueMinor,
    })),
  );
  await givenAttributed(ctx, id, orders);
  return id;
}

/** Counts the orders of a person within the window. */
const bought = ({ dueHours, orders }: Person): number =>
  orders.filter(({ hours }) => hours >= dueHours && hours < dueHours + WINDOW_DAYS * 24).length;

const boughtBy = (group: readonly Person[]): number => group.reduce((sum, person) => sum + bought(person), 0);

const conversionOf = (group: readonly Person[]) => ({
  members: group.length,
  converted: group.filter((person) => bought(person) > 0).length,
});

/** Orders and revenue by last touch, independent of the due time of the message. */
function revenueOf(group: readonly Person[]) {
  const touched = group
    .filter(({ state }) => state !== 'HELD_OUT')
    .flatMap(({ orders }) => orders.filter(({ isTouched }) => isTouched));
  return {
    orders: touched.length,
    amountMinor: touched.reduce((sum, { revenueMinor }) => sum + BigInt(revenueMinor), 0n),
  };
}

test('the figures of any campaign are those of a plain count', async () => {
  await fc.assert(
    fc.asyncProperty(people, async (given) => {
      const {
        total,
        variants,
        holdOut: heldOut,
      } = await campaignResults(fresh(), await givenCampaign(given));
      const due = given.filter(({ dueHours }) => dueHours <= 0);
      const treated = due.filter(({ state }) => state !== 'HELD_OUT');
      const held = due.filter(({ state }) => state === 'HELD_OUT');
      expect(total.conversion).toMatchObject(conversionOf(treated));
      expect(heldOut!.conversion).toMatchObject(conversionOf(held));
      expect(total.orders).toBe(revenueOf(given).orders);
      for (const { key, result } of variants) {
        const having = (group: readonly Person[]) => group.filter(({ variant }) => variant === key);
        expect(result.conversion).toMatchObject(conversionOf(having(treated)));
        const { orders, amountMinor } = revenueOf(having(given));
        expect(result.orders).toBe(orders);
        expect(result.revenue[0]?.revenue.amountMinor ?? 0n).toBe(amountMinor);
      }
      if (treated.length === 0 || held.length === 0) expect(heldOut!.extraOrders).toBeNull();
      else
        expect(heldOut!.extraOrders).toBeCloseTo(
          boughtBy(treated) - (boughtBy(held) / held.length) * treated.length,
          9,
        );
    }),
    { numRuns: 60 },
  );
});
