import { beforeEach, expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { ask, entities } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { daysAgo, mails, memberId, orders } from '../facts/facts.fixture.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { model } from '../subgraph.ts';
import { refitEmailClicks } from './email-clicks.service.ts';
import { refitWorkspaces } from './refit.service.ts';

const { services, newContext } = useServices();
beforeEach(() => services.clock.set('2026-03-02T10:00:00.000Z'));

let made = 0;

/** Creates a member like the loyalty subgraph does. */
async function member(ctx: Context): Promise<string> {
  made += 1;
  const answer = await askPeer(
    ctx,
    'loyalty',
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { input: { email: `reader-${made}@example.com` } },
  );
  return (answer['createMember'] as { id: string }).id;
}

const buys = (ctx: Context, id: string, ...days: readonly number[]) =>
  orders(
    ctx,
    days.map((day) => ({ memberId: id, at: daysAgo(ctx, day) })),
  );

const PREDICTIONS = entities(`... on Member { predictions {
  expectedNextOrderOn unavailableBecause emailClickPropensity emailClickUnavailableBecause
  nextOrder { intervalMeanDays intervalMedianDays intervalStddevDays intervalCv purchasesUsed confidence
              band { fromOn toOn } }
} }`);

/** Asks in a separate request, as a gateway does. */
async function predictionsOf(ctx: Context, ids: readonly string[]) {
  const references = ids.map((id) => ({ __typename: 'Member', id }));
  const answer = await ask(model, contextOf(services, ctx.caller), PREDICTIONS, { references });
  expect(answer.message).toBeUndefined();
  return answer.data._entities.map(({ predictions }: { predictions: object }) => predictions);
}

test('the next order follows from the days with a purchase, and says on what it rests', async () => {
  const ctx = newContext();
  const id = await member(ctx);
  // Two orders of one day are one purchase: intervals of 10, 20 and 40 days, and a gap of 12 days.
  await buys(ctx, id, 82, 72, 52, 52, 12);
  const [predicted] = await predictionsOf(ctx, [id]);
  // Computed by Python with SciPy, as in next-order.test.ts: 13, 34 and 177 days after the last purchase.
  expect(predicted).toEqual({
    ...{ expectedNextOrderOn: '2026-03-24', unavailableBecause: null },
    ...{ emailClickPropensity: null, emailClickUnavailableBecause: 'NOT_FITTED_YET' },
    nextOrder: {
      ...{ intervalMeanDays: 23.333333, intervalMedianDays: 20.43351, intervalStddevDays: 15.275252 },
      ...{ intervalCv: 0.654654, purchasesUsed: 4, confidence: 'MEDIUM' },
      band: { fromOn: '2026-03-03', toOn: '2026-08-14' },
    },
  });
});

test('the intervals of other members have their part once the night fitted them', async () => {
  const ctx = newContext();
  const id = await member(ctx);
  await buys(ctx, id, 60, 35, 10);
  const others = Array.from({ length: 40 }, memberId);
  await orders(
    ctx,
    others.flatMap((other, place) =>
      [100, 90 - (place % 4), 80].map((day) => ({ memberId: other, at: daysAgo(ctx, day) })),
    ),
  );
  const [alone] = await predictionsOf(ctx, [id]);
  await refitWorkspaces(newContext());
  const [drawn] = await predictionsOf(ctx, [id]);
  expect(drawn.nextOrder.intervalMedianDays).toBeLessThan(alone.nextOrder.intervalMedianDays);
  expect(drawn.expectedNextOrderOn < alone.expectedNextOrderOn).toBe(true);
  expect(drawn.nextOrder.intervalMeanDays).toBe(25);
});

test('a prediction that cannot be made is null, with the reason of each member', async () => {
  const ctx = newContext();
  const [few, short, silent, restricted] = await Promise.all(Array.from({ length: 4 }, () => member(ctx)));
  await buys(ctx, few!, 40, 20);
  await buys(ctx, short!, 13, 11, 10);
  await buys(ctx, silent!, 900, 890, 880, 870);
  await buys(ctx, restricted!, 60, 40, 20);
  await askPeer(
    ctx,
    'loyalty',
    'mutation ($id: ID!) { restrictProcessing(memberId: $id, isRestricted: true) { id } }',
    { id: restricted },
  );
  const found = await predictionsOf(ctx, [few!, short!, silent!, restricted!, memberId()]);
  const none = { expectedNextOrderOn: null, nextOrder: null, emailClickPropensity: null };
  expect(found).toEqual([
    { ...none, unavailableBecause: 'NOT_ENOUGH_DATA', emailClickUnavailableBecause: 'NOT_FITTED_YET' },
    { ...none, unavailableBecause: 'SHORT_SPAN', emailClickUnavailableBecause: 'NOT_FITTED_YET' },
    { ...none, unavailableBecause: 'LIKELY_LAPSED', emailClickUnavailableBecause: 'NOT_FITTED_YET' },
    {
      ...none,
      unavailableBecause: 'PROCESSING_RESTRICTED',
      emailClickUnavailableBecause: 'PROCESSING_RESTRICTED',
    },
    null,
  ]);
});

test('who clicked is likelier to click, once the night found that clicks can be foretold', async () => {
  const ctx = newContext();
  const [clicker, reader] = [await member(ctx), await member(ctx)];
  const random = seededRandom(9);
  const ids = [clicker, reader, ...Array.from({ length: 320 }, memberId)];
  await mails(
    ctx,
    ids.flatMap((id, place) =>
      [8, 15, 22, 29, 36].map((day, week) => {
        const sentAt = daysAgo(ctx, day);
        const chance = place % 2 === 0 ? 0.5 : 0.02;
        const isClicked = id === clicker || (id !== reader && random() < chance);
        const clickedAt = isClicked ? new Date(sentAt.getTime() + DAY_MS) : null;
        return { memberId: id, messageId: `week-${week}`, sentAt, clickedAt };
      }),
    ),
  );
  await refitEmailClicks(ctx);
  const [likely, unlikely] = await predictionsOf(ctx, [clicker, reader]);
  expect(likely.emailClickUnavailableBecause).toBeNull();
  expect(likely.emailClickPropensity).toBeGreaterThan(0.3);
  expect(unlikely.emailClickPropensity).toBeLessThan(0.15);
  expect(unlikely.unavailableBecause).toBe('NOT_ENOUGH_DATA');
});

test('too few mails, and mails whose clicks nothing foretells, are told apart', async () => {
  const ctx = newContext();
  const id = await member(ctx);
  const reasonAfter = async (members: number) => {
    const random = seededRandom(members);
    const ids = Array.from({ length: members }, memberId);
    await mails(
      ctx,
      ids.flatMap((other) =>
        [8, 15, 22].map((day) => {
          const clickedAt = random() < 0.2 ? daysAgo(ctx, day - 1) : null;
          return { memberId: other, messageId: `${day}`, sentAt: daysAgo(ctx, day), clickedAt };
        }),
      ),
    );
    await refitEmailClicks(ctx);
    return (await predictionsOf(ctx, [id]))[0].emailClickUnavailableBecause;
  };
  expect(await reasonAfter(50)).toBe('TOO_FEW_SENDS');
  expect(await reasonAfter(350)).toBe('NO_BETTER_THAN_BASE_RATE');
});

test('twenty members cost the statements of one', async () => {
  const ctx = newContext();
  const ids = await Promise.all(Array.from({ length: 20 }, () => member(ctx)));
  for (const id of ids) await buys(ctx, id, 60, 40, 20);
  const cost = async (some: readonly string[]) => {
    services.statements.length = 0;
    const found = await predictionsOf(ctx, some);
    expect(found.every((each: { nextOrder: object }) => each.nextOrder !== null)).toBe(true);
    return services.statements.length;
  };
  // The workspace's time zone is cached for some seconds.
  await cost(ids.slice(0, 1));
  const one = await cost(ids.slice(0, 1));
  expect(await cost(ids)).toBe(one);
  expect(one).toBeLessThanOrEqual(5);
});
