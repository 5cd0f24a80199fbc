import type { MemberAspect } from '@loyalty/platform/work/events';
/** A tree of conditions on members, as integrations write it. */
export type Condition = Group | FieldCondition | EventCondition | RecordCondition | SegmentCondition;

/** `and`: all hold; `or`: at least one holds; `not`: none holds. */
export interface Group {
  readonly op: 'and' | 'or' | 'not';
  readonly conditions: readonly Condition[];
}

/** A field of the member, such as `points_balance` or `customAttributes.shoe_size`. */
export interface FieldCondition {
  readonly field: string;
  readonly operator: string;
  /** As the operator takes it; absent for those that take none. */
  readonly value?: unknown;
}

export type CountOperator = 'at_least' | 'at_most' | 'exactly';

/** How often something happened; absent: at least once, ever. */
export interface Frequency {
  readonly operator?: CountOperator;
  readonly count?: number;
  readonly within_days?: number;
}

/**
 * `order.created`, `store.visited`, `coupon.issued` and `coupon.redeemed` are what happened to the member;
 * any other name is that of a tracked event.
 */
export interface EventCondition extends Frequency {
  readonly event: string;
  /** Of orders and visits: in one of these stores. */
  readonly store_ids?: readonly string[];
  /** Of coupons: of one of these pools. */
  readonly pool_ids?: readonly string[];
}

/** Records of a custom object that name the member. */
export interface RecordCondition extends Frequency {
  /** The machine name of the object type. */
  readonly record: string;
  /** All of these hold for the record; fields are keys of the object type. */
  readonly where?: readonly FieldCondition[];
}

export interface SegmentCondition {
  readonly segment: string;
  readonly operator?: 'in' | 'not_in';
}

/** What conditions read of a member: a change of one of these may change who meets a condition. */
export type Aspect = MemberAspect | `TRACKED:${string}` | `RECORD:${string}`;
