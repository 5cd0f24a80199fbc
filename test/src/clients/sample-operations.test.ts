import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSchema, validate } from 'graphql';
import { clientSdl } from '../graph-lint/client-sdl.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';
import { samples, sampleText } from './sample-operations.ts';

const schema = buildSchema(
  clientSdl(readFileSync(new URL('../../../gateway/supergraph.graphql', import.meta.url), 'utf8')),
);

test.each([...samples])('the sample %s is valid on the graph', (_, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});

const stack = useStack();
const ran = new Set<string>();
let token: string;
beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.work();
});

/** Sends a sample as the owner, and expects no error. */
// biome-ignore lint/suspicious/noExplicitAny: the samples select what they like
async function run(name: string, variables: object = {}, credential: string | null = token): Promise<any> {
  ran.add(name);
  const { data, errors } = await stack.graph<never>(sampleText(name), variables, credential);
  expect([name, errors]).toEqual([name, undefined]);
  return data;
}

/** Subscribes to a sample until a result matches. */
async function follow(
  name: string,
  variables: Record<string, unknown>,
  expected: object,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  ran.add(name);
  const watched = await watch(stack.url, { query: sampleText(name), variables }, token);
  try {
    await eventually(async () => {
      await meanwhile();
      expect(watched.results).toContainEqual({ data: expected });
    });
  } finally {
    await watched.stop();
  }
}

let poolId: string;
let memberId: string;

test('the programme is set up and a key is made', async () => {
  const made = await run('SetUpProgramme', {
    tier: { name: 'Silver', rank: 1, upgradeThreshold: 100, multiplier: 1.25 },
    rule: { kind: 'BASE', name: 'One point a euro', rate: 1 },
    pool: { name: 'Thanks', couponType: 'FIXED', discountDisplay: '5 EUR' },
  });
  poolId = made.createCouponPool.id;
  expect((await run('FillCouponPool', { poolId, count: 10 })).generateCoupons.availableCount).toBe(10);
  const { createApiKey } = await run('MakeKey', {
    input: { name: 'till', scopes: ['members:read'], mode: 'LIVE' },
  });
  await run('MemberPage', { first: 1 }, createApiKey.secret);
  expect((await run('SwitchModule', { key: 'tracking', enabled: true })).setModule.isEnabled).toBe(true);
});

test('a member enrols, gets points and spends them', async () => {
  const enrolled = await run('EnrolMember', { input: { email: 'ada@example.com', fullName: 'Ada Berg' } });
  memberId = enrolled.createMember.id;
  await run('RecordConsent', { memberId });
  const page = await run('MemberPage', { first: 10 });
  expect(page.members).toMatchObject({ totalCount: 1, edges: [{ node: { id: memberId } }] });

  const award = { memberId, input: { amount: 120, description: 'welcome' } };
  const { awardPoints } = await run('AwardPoints', award);
  await run('ReverseAward', { transactionId: awardPoints.id, reason: 'by mistake' });
  await run('AwardPoints', award);
  const { redeemPointsForCoupon } = await run('BuyCoupon', { memberId, poolId, pointsCost: 50 });
  expect(redeemPointsForCoupon.newBalance).toBe(70);
  const { redeemCoupon } = await run('RedeemCoupon', { id: redeemPointsForCoupon.coupon.id });
  expect(redeemCoupon.status).toBe('REDEEMED');
  expect((await run('PointsLedger', { memberId })).member.pointsTransactions.nodes).toHaveLength(4);
  expect((await run('MemberCard', { id: memberId })).member.pointsBalance).toBe(70);
  await follow(
    'MemberFeed',
    { memberId },
    { memberActivity: expect.objectContaining({ kind: 'POINTS_AWARDED' }) },
    () => run('AwardPoints', { memberId, input: { amount: 1 } }),
  );
});

test('an order is recorded and refunded', async () => {
  const input = { externalOrderId: '1001', memberId, currency: 'EUR', total: 8000 };
  await run('RecordOrder', { input: { ...input, occurredAt: new Date().toISOString() } });
  const { refundOrder } = await run('RefundOrder', { externalOrderId: '1001', input: { amount: 1000 } });
  expect(refundOrder.refund.amount).toEqual({ amountMinor: 1000, currency: 'EUR' });
});

test('a campaign is drafted, launched and watched', async () => {
  const definition = { field: 'consents', operator: 'includes_any', value: ['EMAIL_MARKETING'] };
  await run('PreviewAudience', { definition });
  const { createSegment } = await run('SaveAudience', { input: { name: 'Readers', definition } });
  const segmentIds = [createSegment.id];
  await run('AudienceSize', { input: { channel: 'EMAIL', segmentIds } });
  const { createCampaign } = await run('DraftCampaign', {
    input: {
      ...{ name: 'Autumn', channel: 'EMAIL', segmentIds, subject: 'Hello' },
      html: '<p>The autumn menu is here.</p>',
    },
  });
  const { id } = createCampaign;
  // The campaign can be launched after the members of its new segment were computed.
  await eventually(() => run('LaunchCampaign', { id }));
  const figures = expect.objectContaining({ recipients: 1, sent: 1 });
  await follow('WatchCampaign', { id }, { campaignProgress: { status: expect.any(String), figures } });
  expect((await run('CampaignResults', { id })).campaign.results.total.recipients).toBe(1);
});

test('all members are refreshed, and the model is asked', async () => {
  const { createBulkJob } = await run('StartRefresh', { input: { name: 'nightly', idempotencyKey: 'a' } });
  const { id } = createBulkJob.bulkJob;
  await follow(
    'WatchRefresh',
    { id },
    { bulkJobProgress: expect.objectContaining({ processed: 1, total: 1 }) },
  );
  await run('RefreshResults', { id });
  const { member } = await run('MemberOutlook', { id: memberId });
  expect(member.predictions.unavailableBecause).toBe('NOT_ENOUGH_DATA');
  const { callCapability } = await run('AskModel', {
    name: 'model_get_consumer_state',
    arguments: { member_id: memberId },
  });
  expect(callCapability.envelope.status).toMatch(/^(OK|DEGRADED|UNAVAILABLE)$/);
  expect((await run('WalletAndPrices')).wallet.plan).toBe('TRIAL');
});

test('a webhook is added, and failed deliveries are listed', async () => {
  const input = { url: 'https://example.com/hook', eventTypes: ['member.created'] };
  expect((await run('AddWebhook', { input })).createWebhookEndpoint.secret).toMatch(/^whsec_/);
  expect((await run('FailedDeliveries')).webhookDeliveries.nodes).toEqual([]);
});

test('everybody may read the reasons of errors, and a reason has a page', async () => {
  const { errorReasons } = await run('ReasonsOfErrors', {}, null);
  expect(errorReasons.length).toBeGreaterThan(250);
  const reason = { reason: 'MEMBER_EXISTS', category: 'CONFLICT', httpStatus: 409 };
  expect(errorReasons).toContainEqual({ ...reason, page: '/docs/errors/MEMBER_EXISTS' });
  const { status, body } = await stack.rest('GET', '/docs/errors/MEMBER_EXISTS');
  expect([status, body]).toEqual([200, expect.stringContaining('Update that member instead.')]);
});

afterAll(() => {
  // Every sample is sent by some test, because a sample that was never sent may not work.
  expect([...ran].sort()).toEqual([...samples.keys()].sort());
});
