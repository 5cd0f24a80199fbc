import { expect, test } from '@jest/globals';
import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { enrolMembers } from '../members.fixture.ts';
import {
  attributeAll,
  givenOrder,
  givenRecipients,
  givenSentCampaign,
  givenSourced,
  refundOrder,
} from './attribution.fixture.ts';
import { givenAttributed, holdOut } from './campaign-results.fixture.ts';
import { campaignResults } from './campaign-results.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const ago = (days: number): Date => addMs(services.clock.now(), -days * DAY_MS);
const newIds = (count: number): string[] => Array.from({ length: count }, () => newId(services.clock));

/** Inserts two variants of four members each, and four held-out members; due three days ago. */
async function givenAudience() {
  const members = await enrolMembers(
    ctx,
    Array.from({ length: 12 }, (_, index) => `${index}@example.com`),
  );
  const id = await givenSentCampaign(ctx, { variants: ['plain', 'bright'] });
  await holdOut(ctx, id, 30);
  const [plain, bright, held] = [members.slice(0, 4), members.slice(4, 8), members.slice(8)];
  await givenRecipients(ctx, id, [
    ...plain.map((memberId) => ({ memberId, variant: 'plain', dueAt: ago(3) })),
    ...bright.slice(0, 3).map((memberId) => ({ memberId, variant: 'bright', dueAt: ago(3) })),
    // A member without consent has no message and counts as treated.
    { memberId: bright[3]!, variant: 'bright', dueAt: ago(3), state: 'SKIPPED' },
    ...held.map((memberId) => ({ memberId, variant: 'plain', dueAt: ago(3), state: 'HELD_OUT' as const })),
  ]);
  await givenSourced(ctx, [
    ...plain.map((memberId, index) => ({
      memberId,
      sourceId: id,
      variant: 'plain',
      sentAt: ago(3),
      status: index === 0 ? 'BOUNCED' : 'DELIVERED',
      opens: index,
      clicks: index === 3 ? 1 : 0,
    })),
    ...bright.slice(0, 3).map((memberId) => ({ memberId, sourceId: id, variant: 'bright', sentAt: ago(3) })),
  ]);
  return { id, plain, bright, held };
}

/**
 * Plain: one member orders twice, one before the message. Bright: two members order, one of them without a
 * message, and one is refunded in full. Held out: one member orders.
 */
async function givenOrders({ plain, bright, held }: Awaited<ReturnType<typeof givenAudience>>) {
  const buy = (memberId: string, total: number, input = {}) => givenOrder(ctx, memberId, { total, ...input });
  await buy(plain[1]!, 1_000);
  await buy(plain[1]!, 3_000, { occurredAt: ago(2) });
  await buy(plain[2]!, 9_000, { occurredAt: ago(4) });
  const part = await buy(bright[0]!, 5_000);
  await buy(bright[3]!, 7_000);
  const whole = await buy(bright[1]!, 8_000);
  await buy(held[0]!, 6_000);
  await attributeAll(ctx);
  await refundOrder(ctx, part.externalOrderId, 2_000);
  await refundOrder(ctx, whole.externalOrderId);
  await attributeAll(ctx);
}

test('the results of a campaign agree with a computation by hand', async () => {
  const audience = await givenAudience();
  await givenOrders(audience);
  const { id } = audience;
  const { total, variants, holdOut: heldOut, ...rest } = await campaignResults(fresh(), id);
  expect(variants).toMatchObject([
    {
      key: 'plain',
      comparison: null,
      result: {
        recipients: 4,
        sent: 4,
        delivered: 3,
        opened: 3,
        clicked: 1,
        conversion: { converted: 1, members: 4, rate: 0.25 },
        orders: 2,
        revenue: [{ revenue: { amountMinor: 4_000n, currency: 'EUR' }, orders: 2, perRecipientMinor: 1_000 }],
      },
    },
    {
      key: 'bright',
      result: {
        recipients: 4,
        sent: 3,
        delivered: 0,
        conversion: { converted: 2, members: 4, rate: 0.5 },
        orders: 1,
        revenue: [{ revenue: { amountMinor: 3_000n, currency: 'EUR' }, orders: 1, perRecipientMinor: 750 }],
      },
      comparison: { absolute: 0.25, relative: 1, isSignificant: false },
    },
  ]);
  expect(total).toMatchObject({
    recipients: 8,
    sent: 7,
    conversion: { converted: 3, members: 8, rate: 0.375 },
    orders: 3,
    revenue: [{ revenue: { amountMinor: 7_000n, currency: 'EUR' }, orders: 3, perRecipientMinor: 875 }],
  });
  // 0.375 - 0.25 of 8 and 4: three orders in the window by 8, one by 4.
  expect(heldOut).toMatchObject({
    members: 4,
    conversion: { converted: 1, members: 4, rate: 0.25 },
    uplift: { absolute: 0.125, relative: 0.5, isSignificant: false },
    extraConversions: 1,
    extraOrders: 4 - (1 / 4) * 8,
  });
  expect(rest).toMatchObject({ windowDays: 7, windowEndsAt: addMs(ago(3), 7 * DAY_MS) });
});

test('a rate has the interval of a computation by hand', async () => {
  const { id, plain } = await givenAudience();
  await givenAttributed(ctx, id, [{ memberId: plain[0]!, variant: 'plain' }]);
  const { variants } = await campaignResults(fresh(), id);
  // Of 1 in 4, with z² = 3.8414588: the roots of 1.9603647 t² - 1.4603647 t + 0.0625.
  const root = Math.sqrt(1.4603647 ** 2 - 4 * 1.9603647 * 0.0625);
  const { low, high } = variants[0]!.result.conversion.interval!;
  expect(low).toBeCloseTo((1.4603647 - root) / (2 * 1.9603647), 6);
  expect(high).toBeCloseTo((1.4603647 + root) / (2 * 1.9603647), 6);
});

test('an uplift has the interval that Newcombe printed for its figures, and says whether it is significant', async () => {
  const id = await givenSentCampaign(ctx);
  await holdOut(ctx, id, 50);
  const [treated, held] = [newIds(70), newIds(80)];
  await givenRecipients(ctx, id, [
    ...treated.map((memberId) => ({ memberId })),
    ...held.map((memberId) => ({ memberId, state: 'HELD_OUT' as const })),
  ]);
  await givenAttributed(ctx, id, [
    ...treated.slice(0, 56).map((memberId) => ({ memberId })),
    ...held.slice(0, 48).map((memberId) => ({ memberId, isHeldOut: true })),
  ]);
  const { holdOut: heldOut } = await campaignResults(fresh(), id);
  expect(heldOut).toMatchObject({
    uplift: {
      absolute: expect.closeTo(0.2, 12),
      relative: expect.closeTo(1 / 3, 12),
      interval: { low: expect.closeTo(0.0524, 4), high: expect.closeTo(0.3339, 4) },
      isSignificant: true,
    },
    extraConversions: expect.closeTo(14, 9),
    extraOrders: expect.closeTo(14, 9),
  });
});

test('a campaign without recipients, without a hold-out or before its time has no rates', async () => {
  const id = await givenSentCampaign(ctx, { variants: ['a', 'b'] });
  const nobody = { converted: 0, members: 0, rate: null, interval: null };
  const empty = await campaignResults(fresh(), id);
  expect(empty).toMatchObject({ holdOut: null, windowEndsAt: null, total: { recipients: 0, revenue: [] } });
  expect(empty.total.conversion).toEqual(nobody);
  expect(empty.variants.map(({ comparison }) => comparison)).toEqual([null, null]);
  const dueAt = addMs(services.clock.now(), HOUR_MS);
  await holdOut(ctx, id, 10);
  await givenRecipients(ctx, id, [
    { memberId: newId(services.clock), dueAt, state: 'WAITING' },
    { memberId: newId(services.clock), dueAt, state: 'HELD_OUT' },
  ]);
  const early = await campaignResults(fresh(), id);
  expect(early).toMatchObject({
    total: { recipients: 0, conversion: nobody },
    holdOut: { members: 0, conversion: nobody, uplift: null, extraConversions: null, extraOrders: null },
    windowEndsAt: addMs(dueAt, 7 * DAY_MS),
  });
  await expect(campaignResults(newContext(), id)).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
});

test('the results of many campaigns cost as many statements as those of one, and are read in the graph', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => givenSentCampaign(ctx)));
  const fields = `results {
    total { recipients conversion { rate interval { low } } revenue { revenue { currency } } }
    variants { key comparison { isSignificant } } holdOut { members } windowDays windowEndsAt method }`;
  const ask = async (wanted: readonly string[]) => {
    const query = `{ ${wanted.map((id, index) => `c${index}: campaign(id: "${id}") { ${fields} }`).join(' ')} }`;
    services.statements.length = 0;
    const answer = await askPeer(fresh(), 'engagement', query);
    return { answer, statements: services.statements.length };
  };
  // The first query of a workspace reads more, such as its settings.
  await ask(ids.slice(0, 1));
  const one = await ask(ids.slice(0, 1));
  const results = { windowDays: 7, total: { recipients: 0 }, variants: [{ key: 'a', comparison: null }] };
  expect(one.answer['c0']).toMatchObject({ results });
  expect((await ask(ids)).statements).toBe(one.statements);
});
