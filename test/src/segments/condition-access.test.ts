import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  accessOfEvent,
  accessOfField,
  accessOfRecords,
} from '@loyalty/engagement-subgraph/conditions/condition-access';
import { memberFields } from '@loyalty/engagement-subgraph/conditions/member-fields';
import { conditionEvents } from '@loyalty/engagement-subgraph/conditions/occurrence-conditions';
import { accessMap, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import type { Access } from '@loyalty/platform/identity/access';
import { refusal } from '@loyalty/platform/identity/refusal';

const graph = accessMap(readFileSync(supergraphFile, 'utf8'));

/**
 * The fields of the graph with the data that a condition reads. Whoever may use the condition must be allowed
 * to read each of them.
 */
const shownAt: Readonly<Record<string, readonly string[]>> = {
  status: ['Member.status'],
  enrollment_source: ['Member.enrollmentSource'],
  created_at: ['Member.createdAt'],
  last_activity_at: ['Member.lastActivityAt'],
  birthday: ['Member.birthOn'],
  locale: ['Member.locale'],
  time_zone: ['Member.timeZone'],
  home_store: ['Member.homeStore'],
  has_email: ['Member.email'],
  is_restricted: ['Member.isRestricted'],
  tags: ['Member.tags'],
  consents: ['Member.consents'],
  tier: ['Member.tier'],
  tier_rank: ['Member.tier'],
  tier_changed_at: ['Member.tierProgress'],
  tier_lapses_at: ['Member.tierProgress'],
  points_balance: ['Member.pointsBalance'],
  points_earned: ['Member.pointsEarned'],
  points_expire_at: ['Member.pointsExpiring'],
  order_count: ['Member.orderSummary', 'OrderSummary.orders'],
  order_revenue_minor: ['Member.orderSummary', 'OrderSummary.revenueMinor'],
  first_order_at: ['Member.orderSummary', 'OrderSummary.firstOrderAt'],
  last_order_at: ['Member.orderSummary', 'OrderSummary.lastOrderAt'],
  visit_count: ['Member.visitSummary'],
  last_visit_at: ['Member.visitSummary'],
  open_coupons: ['Member.coupons', 'Coupon.status'],
  purchase_score: ['Member.state', 'MemberState.purchase'],
  long_gap_score: ['Member.state', 'MemberState.longGap'],
  cart_removal_score: ['Member.state', 'MemberState.cartRemoval'],
  next_order_on: ['Member.predictions', 'MemberPredictions.expectedNextOrderOn'],
  next_order_confidence: ['Member.predictions', 'NextOrderEstimate.confidence'],
  overdue_cycles: ['Member.state'],
  is_likely_lapsed: ['Member.state'],
  'customAttributes.any': ['Member.customAttributes'],
};

const shownEvents: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'order.created': [
    ['Member.orders', 'Order.occurredAt', 'Order.store'],
    ['Member.activity', 'ActivityEntry.store'],
  ],
  'store.visited': [['Member.visits', 'StoreVisit.store']],
  'coupon.issued': [['Member.coupons', 'Coupon.pool']],
  'coupon.redeemed': [['Member.coupons', 'Coupon.pool']],
  view: [['TrackingEvent.event', 'TrackingEvent.member']],
};

/**
 * For each set of scopes that is enough for a condition, a key with that set and with the module of the
 * condition.
 */
const keysOf = ({ scopes, module }: Access): Caller[] =>
  scopes.map((held) => ({
    ...anonymous,
    kind: 'KEY',
    workspaceId: 'w',
    scopes: held,
    modules: module ? [module] : [],
  }));

const mayRead = (caller: Caller, fields: readonly string[]): boolean =>
  fields.every((field) => refusal(caller, graph.get(field)!) === null);

test.each([...memberFields.map(({ key }) => key), 'customAttributes.any'])(
  'who may ask for %s in a condition may read it in the graph',
  (field) => {
    const places = shownAt[field] ?? [];
    expect(places.length).toBeGreaterThan(0);
    const keys = keysOf(accessOfField(field));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.filter((key) => !mayRead(key, places))).toEqual([]);
  },
);

test.each([...Object.keys(conditionEvents), 'view'])(
  'who may count %s in a condition may read it in the graph',
  (event) => {
    const keys = keysOf(accessOfEvent(event));
    expect(keys.length).toBeGreaterThan(0);
    const ways = shownEvents[event] ?? [];
    expect(keys.filter((key) => !ways.some((fields) => mayRead(key, fields)))).toEqual([]);
  },
);

test('who may count records in a condition may read them in the graph, while the module is on', () => {
  const [key] = keysOf(accessOfRecords());
  expect(mayRead(key!, ['Member.records', 'ObjectRecord.data'])).toBe(true);
  expect(refusal({ ...key!, modules: [] }, accessOfRecords())?.code).toBe('MODULE_DISABLED');
});
