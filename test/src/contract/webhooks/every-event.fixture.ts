import { drawReceipt } from '@loyalty/commerce-subgraph/receipts/receipts.fixture';
import { eventually } from '../../harness/eventually.ts';
import { signedInMember } from '../members/location.fixture.ts';
import { engagementActs } from './engagement-acts.fixture.ts';
import {
  type Act,
  address,
  enrol,
  joinByForm,
  member,
  order,
  orderOfMember,
  rest,
  run,
  upload,
} from './programme.fixture.ts';
import { trainingActs } from './training-acts.fixture.ts';

/** Acts of users and integrations, each with the events that it must fire. */
export const acts: readonly Act[] = [
  ...engagementActs,
  ...trainingActs,
  [['member.created'], enrol],
  [['loyalty.enrollment_confirmed'], (programme) => joinByForm(programme)],
  [
    ['capture.created'],
    (programme) => run(programme, `mutation { createCapture(input: {email: "${address()}"}) { id } }`),
  ],
  [['members.imported'], (programme) => upload(programme, 'members', `email\n${address()}\n`)],
  [
    ['member.updated'],
    (programme) => member(programme, (id) => `updateMember(id: "${id}", input: {locale: "pt-PT"}) { id }`),
  ],
  [
    ['member.tagged', 'member.untagged'],
    async (programme) => {
      const id = await enrol(programme);
      await run(programme, `mutation { tagMember(memberId: "${id}", key: "vip") { id } }`);
      await run(programme, `mutation { untagMember(memberId: "${id}", key: "vip") { id } }`);
    },
  ],
  [
    ['member.consent_changed'],
    (programme) =>
      member(
        programme,
        (id) => `setMemberConsent(memberId: "${id}", purpose: PROFILING, granted: true) { id }`,
      ),
  ],
  [
    ['record.created', 'record.updated', 'record.deleted'],
    async (programme) => {
      const { record } = await run(
        programme,
        'mutation { record: createRecord(type: "tickets", data: {title: "Lost"}) { id } }',
      );
      await run(
        programme,
        `mutation { updateRecord(type: "tickets", id: "${record!.id}", data: {title: "Found"}) { id } }`,
      );
      await run(programme, `mutation { deleteRecord(type: "tickets", id: "${record!.id}") { id } }`);
    },
  ],
  [
    [
      'loyalty.points_awarded',
      'loyalty.tier_upgraded',
      'coupon.issued',
      'loyalty.points_redeemed',
      'coupon.redeemed',
      'store.visited',
      'coupon.pool_low',
    ],
    async (programme) => {
      const id = await enrol(programme);
      await rest(programme, 'POST', `/members/${id}/points`, { amount: 100 });
      const { poolId: pool_id, storeId: store_id } = programme;
      const { coupon } = await rest(programme, 'POST', `/members/${id}/redeem-coupon`, {
        pool_id,
        points_cost: 50,
      });
      await rest(programme, 'POST', `/coupons/${coupon.id}/redeem`, { store_id });
    },
  ],
  [
    ['location.near_store', 'location.store_dwell'],
    async (programme) => {
      const { stack, key, storeId } = programme;
      const { session } = await signedInMember(stack, key);
      const record = (type: string) => `recordGeofenceEvent(storeId: "${storeId}", eventType: ${type})`;
      for (const type of ['ENTER', 'DWELL'])
        await run({ stack, token: session }, `mutation { ${record(type)} { recorded } }`);
    },
  ],
  [
    ['loyalty.points_adjusted'],
    (programme) =>
      member(programme, (id) => `adjustPoints(memberId: "${id}", amount: 5, reason: "Count") { id }`),
  ],
  [
    ['loyalty.tier_downgraded'],
    async (programme) => {
      const id = await enrol(programme);
      const { tiers } = await run<{ tiers: { id: string; name: string }[] }>(
        programme,
        '{ tiers { id name } }',
      );
      const gold = tiers.find(({ name }) => name === 'Gold')!.id;
      const until = new Date(programme.stack.services.clock.now().getTime() + 86_400_000).toISOString();
      await run(
        programme,
        `mutation { overrideTier(memberId: "${id}", tierId: "${gold}", until: "${until}", reason: "Guest") { id } }`,
      );
      await run(programme, `mutation { clearTierOverride(memberId: "${id}") { id } }`);
    },
  ],
  [
    ['receipt.submitted', 'receipt.processed'],
    async (programme) => {
      const id = await enrol(programme);
      const image = drawReceipt([`Receipt of ${id}`]);
      const { receipt } = await run(
        programme,
        `mutation { receipt: submitReceipt(input: {memberId: "${id}", image: "${image}"}) { id } }`,
      );
      const approve = `mutation { reviewReceipt(id: "${receipt!.id}", decision: APPROVE, points: 6) { id } }`;
      await eventually(() => run(programme, approve));
    },
  ],
  [
    ['member.inactive'],
    (programme) => member(programme, (id) => `setMemberStatus(id: "${id}", status: INACTIVE) { id }`),
  ],
  [
    ['member.unsubscribed'],
    async (programme) => {
      const email = address();
      await rest(programme, 'POST', '/members', { email, fullName: 'Leaving' });
      await rest(programme, 'POST', '/members/unsubscribe', { email });
    },
  ],
  [
    ['member.restriction_changed'],
    (programme) =>
      member(programme, (id) => `restrictProcessing(memberId: "${id}", isRestricted: true) { id }`),
  ],
  [
    ['member.erasure_requested', 'member.erasure_cancelled'],
    async (programme) => {
      const id = await enrol(programme);
      await run(programme, `mutation { requestErasure(memberId: "${id}") { id } }`);
      await run(programme, `mutation { cancelErasure(memberId: "${id}") { id } }`);
    },
  ],
  [
    ['order.created', 'order.refunded', 'loyalty.points_reversed'],
    async (programme) => {
      const externalOrderId = await orderOfMember(programme, await enrol(programme));
      await rest(programme, 'POST', `/orders/${externalOrderId}/refund`, {});
    },
  ],
  [
    ['orders.imported'],
    (programme) =>
      upload(
        programme,
        'orders',
        'external_order_id,total,currency,occurred_at\nold-1,1000,EUR,2026-01-05T10:00:00Z\n',
      ),
  ],
  [['catalog.imported'], (programme) => upload(programme, 'catalog', 'externalId,name\nT-1,Tea\n')],
  [
    ['ambassador.code_issued', 'ambassador.referral_enrolled', 'ambassador.referral_purchased'],
    async (programme) => {
      const { data } = await rest(
        programme,
        'POST',
        `/ambassador/members/${await enrol(programme)}/issue-code`,
      );
      const friend = await enrol(programme);
      await run(
        programme,
        `mutation { attributeReferral(memberId: "${friend}", code: "${data.code}") { __typename } }`,
      );
      await order(programme, friend);
    },
  ],
];
