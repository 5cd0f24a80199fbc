import fc from 'fast-check';
import type { OccurrenceKind, OccurrenceRow, ProfileRow } from '../profiles/profiles.store.ts';
import type { Condition, FieldCondition, Frequency } from './condition.ts';
import { memberFields } from './member-fields.ts';
import { type FieldType, type OperandType, operatorsOf } from './operators.ts';

const DAY_MS = 86_400_000;
/** The current time of the tests. Random values are near it. */
export const PRESENT = Date.parse('2026-03-02T10:00:00Z');

const ids = (letter: string) => [1, 2, 3].map((n) => `${letter.repeat(8)}-0000-7000-8000-00000000000${n}`);
const storeIds = ids('a');
const poolIds = ids('b');
const tierIds = ids('c');
const words = ['de', 'de-AT', 'en', 'pt-PT', '100% _x\\'];
const zones = ['UTC', 'Asia/Tokyo', 'America/New_York'];
const instants = [-500, -400, -31, -30, -7, -1, 0, 1, 7, 30, 31].flatMap((day) => [
  PRESENT + day * DAY_MS,
  PRESENT + day * DAY_MS + 1_000,
]);
const dates = ['2026-02-01', '2026-03-01', '2026-03-02', '2026-03-03', '2026-04-01', '2024-02-29'];

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });
const instant = some(instants).map((at) => new Date(at));
const set = <T extends string>(values: readonly T[]) => fc.subarray([...values]);
const small = fc.integer({ min: 0, max: 4 });

/** Custom fields of members, with the types of their values. */
const custom = {
  colour: { type: 'TEXT', value: some(words) },
  shoe: { type: 'NUMBER', value: some([-1.5, 0, 1, 2.25, 3]) },
  vip: { type: 'FLAG', value: fc.boolean() },
  since: { type: 'MOMENT', value: some(dates) },
  likes: { type: 'SET', value: set(['tea', 'coffee', 'cake']) },
} as const;

const object = fc.record(
  {
    colour: custom.colour.value,
    shoe: custom.shoe.value,
    vip: custom.vip.value,
    since: custom.since.value,
    likes: custom.likes.value,
  },
  { requiredKeys: [] },
);

export const profile: fc.Arbitrary<Partial<ProfileRow>> = fc.record({
  status: some(['ACTIVE', 'PENDING', 'UNSUBSCRIBED']),
  enrollmentSource: some(['API', 'QR']),
  isRestricted: fc.boolean(),
  hasEmail: fc.boolean(),
  locale: orNull(some(words)),
  timeZone: some(zones),
  homeStoreId: orNull(some(storeIds)),
  birthday: orNull(some([228, 229, 301, 302, 303, 304, 331, 1231, 101])),
  createdAt: instant,
  lastActivityAt: instant,
  customAttributes: object,
  tags: set(['vip', 'new', 'gold']),
  consents: set(['EMAIL_MARKETING', 'PROFILING']),
  tierId: orNull(some(tierIds)),
  tierRank: orNull(small),
  tierChangedAt: orNull(instant),
  tierLapsesAt: orNull(instant),
  pointsBalance: small,
  pointsEarned: small,
  pointsExpireAt: orNull(instant),
  visitCount: small,
  lastVisitAt: orNull(instant),
  openCoupons: small,
  orderCount: small,
  orderRevenueMinor: small,
  firstOrderAt: orNull(instant),
  lastOrderAt: orNull(instant),
  purchaseScore: orNull(some([0, 0.25, 0.5, 1])),
  longGapScore: orNull(some([0, 0.25, 0.5, 1])),
  cartRemovalScore: orNull(some([0, 0.25, 0.5, 1])),
  overdueCycles: orNull(some([0, 0.5, 1, 3])),
  nextOrderOn: orNull(some(dates)),
  nextOrderConfidence: orNull(some(['LOW', 'MEDIUM', 'HIGH'] as const)),
  isLikelyLapsed: orNull(some([true, false])),
});

const occurrenceKinds: readonly OccurrenceKind[] = [
  'ORDER',
  'VISIT',
  'COUPON_ISSUED',
  'COUPON_REDEEMED',
  'TRACKED',
  'RECORD',
];
const namesOf: Partial<Record<OccurrenceKind, readonly string[]>> = {
  TRACKED: ['view', 'search'],
  RECORD: ['pet', 'car'],
};

/** A random occurrence of a member. */
export const occurrence: fc.Arbitrary<Omit<OccurrenceRow, 'memberId' | 'refId'>> = some(
  occurrenceKinds,
).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    name: some(namesOf[kind] ?? ['']),
    occurredAt: instant,
    placeId: orNull(some(kind.startsWith('COUPON') ? poolIds : storeIds)),
    amountMinor: fc.constant(null),
    data: kind === 'RECORD' ? object : fc.constant(null),
  }),
);

const valuesOf: Readonly<Record<string, readonly string[]>> = {
  status: ['ACTIVE', 'PENDING', 'UNSUBSCRIBED'],
  enrollment_source: ['API', 'QR'],
  home_store: storeIds,
  tier: tierIds,
  tags: ['vip', 'new', 'gold'],
  consents: ['EMAIL_MARKETING', 'PROFILING'],
  time_zone: zones,
  likes: ['tea', 'coffee', 'cake'],
};

function operand(takes: OperandType, key: string): fc.Arbitrary<unknown> {
  const texts = valuesOf[key] ?? words;
  const days = some([0, 1, 7, 30, 366]);
  const numbers = some([-1.5, 0, 0.25, 0.5, 1, 2, 2.25, 3]);
  switch (takes) {
    case 'NONE':
      return fc.constant(undefined);
    case 'TEXT':
      return some([...texts, ...(key === 'locale' || key === 'colour' ? ['D', 'e', '_', '%'] : [])]);
    case 'TEXTS':
      return fc.subarray([...texts], { minLength: 1 });
    case 'NUMBER':
      return numbers;
    case 'NUMBER_RANGE':
      return fc.tuple(numbers, numbers).map(([one, other]) => [Math.min(one, other), Math.max(one, other)]);
    case 'MOMENT':
      return some(instants).map((at) => new Date(at).toISOString());
    case 'DAYS':
      return days;
    case 'MONTH':
      return some([2, 3, 12]);
  }
}

const fieldCondition = (key: string, type: FieldType, name = key): fc.Arbitrary<FieldCondition> =>
  some(Object.entries(operatorsOf[type])).chain(([operator, { takes }]) =>
    operand(takes, key).map((value) => ({ field: name, operator, ...(value !== undefined && { value }) })),
  );

const frequency: fc.Arbitrary<Frequency> = fc.record(
  {
    operator: some(['at_least', 'at_most', 'exactly'] as const),
    count: fc.integer({ min: 0, max: 3 }),
    within_days: some([1, 7, 30, 400]),
  },
  { requiredKeys: [] },
);

const customFields = Object.entries(custom);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 5, arbitrary: some(memberFields).chain(({ key, type }) => fieldCondition(key, type)) },
  {
    weight: 2,
    arbitrary: some(customFields).chain(([key, { type }]) =>
      fieldCondition(key, type, `customAttributes.${key}`),
    ),
  },
  fc
    .tuple(
      some(['order.created', 'store.visited']),
      frequency,
      fc.option(fc.subarray(storeIds, { minLength: 1 })),
    )
    .map(([event, often, store_ids]) => ({ event, ...often, ...(store_ids && { store_ids }) })),
  fc
    .tuple(
      some(['coupon.issued', 'coupon.redeemed']),
      frequency,
      fc.option(fc.subarray(poolIds, { minLength: 1 })),
    )
    .map(([event, often, pool_ids]) => ({ event, ...often, ...(pool_ids && { pool_ids }) })),
  fc.tuple(some(['view', 'search']), frequency).map(([event, often]) => ({ event, ...often })),
  fc
    .tuple(
      some(['pet', 'car']),
      frequency,
      fc.array(
        some(customFields).chain(([key, { type }]) => fieldCondition(key, type)),
        { maxLength: 2 },
      ),
    )
    .map(([record, often, where]) => ({ record, ...often, ...(where.length > 0 && { where }) })),
);

/** Random condition trees with at most `depth` levels of groups. */
export const conditionTree = (depth: number): fc.Arbitrary<Condition> =>
  depth === 0
    ? leaf
    : fc.oneof(
        { weight: 1, arbitrary: leaf },
        {
          weight: 2,
          arbitrary: fc.record({
            op: some(['and', 'or', 'not'] as const),
            conditions: fc.array(conditionTree(depth - 1), { minLength: 1, maxLength: 3 }),
          }),
        },
      );
