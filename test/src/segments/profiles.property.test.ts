import { expect, test } from '@jest/globals';
import { sale } from '@loyalty/commerce-subgraph/commerce.fixture';
import { createOrder } from '@loyalty/commerce-subgraph/orders/orders.service';
import { refundOrder } from '@loyalty/commerce-subgraph/orders/refunds.service';
import { ensureProfiles, rebuildProfiles } from '@loyalty/engagement-subgraph/profiles/keep-profiles.service';
import { noteProfileChanges, refreshProfilesLoop } from '@loyalty/engagement-subgraph/profiles/profiles.jobs';
import { track } from '@loyalty/engagement-subgraph/tracking/tracking.fixture';
import { setMemberConsent } from '@loyalty/loyalty-subgraph/consents/consents.service';
import { captured, poolOf } from '@loyalty/loyalty-subgraph/coupons/coupons.fixture';
import {
  issueCoupon,
  listMemberCoupons,
  redeemCoupon,
  voidCoupon,
} from '@loyalty/loyalty-subgraph/coupons/coupons.service';
import { defineCustomField } from '@loyalty/loyalty-subgraph/fields/custom-fields.service';
import { given } from '@loyalty/loyalty-subgraph/loyalty.fixture';
import { updateMember } from '@loyalty/loyalty-subgraph/member-details/member-details.service';
import {
  cancelErasure,
  eraseDueMembers,
  markUnsubscribed,
  requestErasure,
  restrictProcessing,
  setMemberStatus,
} from '@loyalty/loyalty-subgraph/member-status/member-status.service';
import { tagMember, untagMember } from '@loyalty/loyalty-subgraph/members/tags.service';
import {
  createRecord,
  deleteRecord,
  updateRecord,
} from '@loyalty/loyalty-subgraph/objects/object-records.service';
import { givenTickets } from '@loyalty/loyalty-subgraph/objects/objects.fixture';
import { expirePoints } from '@loyalty/loyalty-subgraph/points/due-lots.service';
import { adjustPoints, awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { updateProgram } from '@loyalty/loyalty-subgraph/tiers/programs.service';
import { upgradeMembers } from '@loyalty/loyalty-subgraph/tiers/recalculate-members.service';
import { clearTierOverride, overrideTier } from '@loyalty/loyalty-subgraph/tiers/tier-overrides.service';
import { place } from '@loyalty/loyalty-subgraph/visits/visits.fixture';
import { recordStoreVisit } from '@loyalty/loyalty-subgraph/visits/visits.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/work/events';
import fc from 'fast-check';
import { contextOf, useServices } from '../harness/services.ts';
import { keptRows } from './profile-rows.fixture.ts';

const { services, newContext } = useServices();

const RUNS = 12;
const MEMBERS = 4;

/** Makes a workspace with members, and the data that the operations need. */
async function programme(ctx: Context) {
  await place.workspace(ctx, 'Europe/Lisbon');
  const tiers = await given.tiers(ctx, { Silver: 50, Gold: 120 });
  await updateProgram(ctx, {
    ...{ pointsExpireAfterDays: 40, tierBasis: 'ROLLING', tierPeriodDays: 60, downgradePolicy: 'TO_EARNED' },
  });
  await defineCustomField(ctx, { key: 'size', label: 'Size', type: 'NUMBER' });
  await givenTickets(ctx);
  const members: string[] = [];
  for (let index = 0; index < MEMBERS; index += 1) members.push((await given.member(ctx)).id);
  return {
    members,
    tierId: tiers['Gold']!,
    storeId: await place.store(ctx, 'Asia/Tokyo'),
    poolId: (await poolOf(ctx, 200)).id,
    orders: [] as string[],
    records: [] as string[],
  };
}

type Programme = Awaited<ReturnType<typeof programme>>;
type Operation = (ctx: Context, p: Programme, memberId: string, n: number) => Promise<unknown>;

const address = (n: number): string => `address-${n % 5}@example.com`;

const operations: Readonly<Record<string, Operation>> = {
  award: (ctx, _, id, n) => awardPoints(ctx, id, { amount: 1 + (n % 70) }),
  adjust: (ctx, _, id, n) => adjustPoints(ctx, id, (n % 40) - 20 || 1, 'Correction'),
  expire: (ctx) => expirePoints(contextOf(ctx.services, systemCaller('test'))),
  upgrade: (ctx) => upgradeMembers(ctx),
  override: (ctx, { tierId }, memberId, n) =>
    overrideTier(ctx, { memberId, tierId, until: addMs(ctx.clock.now(), (1 + n) * DAY_MS), reason: 'Sorry' }),
  clearOverride: (ctx, _, id) => clearTierOverride(ctx, id),
  order: async (ctx, { orders, storeId }, memberId, n) => {
    const occurredAt = addMs(ctx.clock.now(), -n * DAY_MS);
    const order = await createOrder(
      ctx,
      sale(ctx, { memberId, occurredAt, storeId: n % 2 ? storeId : null }),
    );
    orders.push(order.externalOrderId);
  },
  refund: (ctx, { orders }, _, n) => refundOrder(ctx, orders[n % orders.length] ?? 'none', { amount: 700 }),
  visit: (ctx, { storeId }, id) => recordStoreVisit(ctx, id, storeId),
  capture: async (ctx, { poolId }, _, n) => issueCoupon(ctx, poolId, (await captured(ctx, address(n))).id),
  address: (ctx, _, id, n) => updateMember(ctx, id, { homeStoreId: null, locale: n % 2 ? 'pt-PT' : null }),
  custom: (ctx, { storeId }, id, n) =>
    updateMember(ctx, id, { homeStoreId: storeId, customAttributes: { size: n } }),
  redeem: async (ctx, _, id) => {
    const [coupon] = (await listMemberCoupons(ctx, id, {})).rows;
    if (coupon) await redeemCoupon(ctx, coupon.id, null);
  },
  void: async (ctx, _, id) => {
    const [coupon] = (await listMemberCoupons(ctx, id, {})).rows;
    if (coupon) await voidCoupon(ctx, coupon.id, 'Damaged');
  },
  tag: (ctx, _, id, n) => tagMember(ctx, id, { key: `tag_${n % 3}` }),
  untag: (ctx, _, id, n) => untagMember(ctx, id, `tag_${n % 3}`),
  consent: (ctx, _, id, n) => setMemberConsent(ctx, id, { purpose: 'PROFILING', granted: n % 2 === 0 }),
  unsubscribe: async (ctx, _, id) => {
    const [member] = await ctx.sql.query<{ index: string }>(
      'SELECT email_index AS index FROM loyalty.members WHERE workspace_id = $1 AND id = $2',
      [ctx.scope.workspaceId, id],
    );
    await markUnsubscribed(ctx, member!.index);
  },
  status: (ctx, _, id, n) => setMemberStatus(ctx, id, n % 2 ? 'INACTIVE' : 'ACTIVE'),
  restrict: (ctx, _, id, n) => restrictProcessing(ctx, id, n % 2 === 0),
  erase: (ctx, _, id) => requestErasure(ctx, id),
  keep: (ctx, _, id) => cancelErasure(ctx, id),
  eraseDue: async (ctx) => {
    services.clock.advance(31 * DAY_MS);
    await eraseDueMembers(contextOf(ctx.services, systemCaller('test')));
  },
  join: async (ctx, { members }, _, n) =>
    void members.push((await given.member(ctx, { email: address(n), birthOn: '2000-07-01' })).id),
  record: async (ctx, { records, members }, id, n) => {
    const data = { subject: `Ticket ${n}`, customer: id, agent: members[n % members.length] };
    records.push((await createRecord(ctx, 'tickets', data)).id);
  },
  changeRecord: (ctx, { records }, id, n) =>
    updateRecord(ctx, { type: 'tickets', id: records[n % records.length] ?? id, data: { customer: id } }),
  deleteRecord: (ctx, { records }, id, n) => deleteRecord(ctx, 'tickets', records[n % records.length] ?? id),
  track: (ctx, _, memberId, n) =>
    track(ctx, { event: `event_${n % 2}`, ...(n % 3 ? { memberId } : {}), anonymousId: `visitor-${n % 4}` }),
};

interface Step {
  readonly name: string;
  readonly member: number;
  readonly n: number;
  /** Whether events are relayed after this step, in random order. After that profiles may be refreshed. */
  readonly relays: boolean;
  readonly refreshes: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    name: fc.constantFrom(...Object.keys(operations)),
    member: fc.nat(30),
    n: fc.nat(39),
    relays: fc.boolean(),
    refreshes: fc.boolean(),
  }),
  { minLength: 5, maxLength: 40, size: 'max' },
);

/** Returns a function that relays the events published since its last call, in another order. */
function relayOf(ctx: Context) {
  const seen = new Set<string>();
  return async (n: number): Promise<void> => {
    const events = await ctx.sql.query<PublishedEvent>(
      `SELECT id, type, workspace_id, mode, payload, created_at
         FROM platform.outbox WHERE workspace_id = $1 AND type = ANY($2) AND id <> ALL($3::uuid[])
        ORDER BY md5(id::text || $4)`,
      [ctx.scope.workspaceId, [...noteProfileChanges.types], [...seen], n],
    );
    for (const { id } of events) seen.add(id);
    if (events.length > 0) await ctx.transaction((tx) => noteProfileChanges.take(tx, events));
  };
}

test('whatever happens, and in whatever order it is relayed, kept profiles equal rebuilt ones', async () => {
  const worker = contextOf(services, systemCaller('test'));
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const ctx = newContext();
      const p = await programme(ctx);
      await ensureProfiles(ctx);
      const relay = relayOf(ctx);
      for (const { name, member, n, relays, refreshes } of taken) {
        await operations[name]!(ctx, p, p.members[member % p.members.length]!, n).catch((error) => {
          if (!(error instanceof AppError)) throw error;
        });
        ctx.forget();
        if (relays) await relay(n);
        if (refreshes) await refreshProfilesLoop.turn(worker);
      }
      await relay(0);
      while ((await refreshProfilesLoop.turn(worker)) === 0);
      const kept = await keptRows(ctx);
      await rebuildProfiles(ctx);
      while ((await refreshProfilesLoop.turn(worker)) === 0);
      expect(kept).toEqual(await keptRows(ctx));
      expect(kept.profiles.length).toBeGreaterThan(0);
    }),
    { numRuns: RUNS },
  );
});
