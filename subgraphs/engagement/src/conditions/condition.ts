import type { MemberAspect } from '@loyalty/platform/work/events';
/** A tree of conditions on members, as integrations write it. */
export type Condition = Group | FieldCondition | EventCondition | RecordCondition | SegmentCondition;

/** `and`: all conditions are met; `or`: at least one is met; `not`: none is met. */
export interface Group {
  readonly op: 'and' | 'or' | 'not';
  readonly conditions: readonly Condition[];
}

/** A field of the member, such as `points_balance` or `customAttributes.shoe_size`. */
export interface FieldCondition {
  readonly field: string;
  readonly operator: string;
  /** The operand; absent for operators without one. */
  readonly value?: unknown;
}

export type CountOperator = 'at_least' | 'at_most' | 'exactly';

/** The number of occurrences. Default: at least one, at any time. */
export interface Frequency {
  readonly operator?: CountOperator;
  readonly count?: number;
  readonly within_days?: number;
}

/**
 * `order.created`, `store.visited`, `coupon.issued` and `coupon.redeemed` are events of the member. Any other
 * name is a tracked event.
 */
export interface EventCondition extends Frequency {
  readonly event: string;
  /** For orders and visits: only in these stores. */
  readonly store_ids?: readonly string[];
  /** For coupon events: only coupons of these pools. */
  readonly pool_ids?: readonly string[];
}

/** Counts records of a custom object that refer to the member. */
export interface RecordCondition extends Frequency {
  /** The name of the object type. */
  readonly record: string;
  /** Conditions that the record must meet. Fields are keys of the object type. */
  readonly where?: readonly FieldCondition[];
}

export interface SegmentCondition {
  readonly segment: string;
  readonly operator?: 'in' | 'not_in';
}

/** An aspect of a member that conditions read. A change of an aspect may change the result of conditions. */
export type Aspect = MemberAspect | `TRACKED:${string}` | `RECORD:${string}`;
