import { isMemberEvent, type MemberEvent } from '../conditions/occurrence-conditions.ts';

/** Names of what members do. */
export const EVENT_LABELS: Readonly<Record<MemberEvent, string>> = {
  'order.created': 'Orders',
  'store.visited': 'Store visits',
  'coupon.issued': 'Coupons issued',
  'coupon.redeemed': 'Coupons redeemed',
};

/** An event by its label; a tracked one by its name. */
export const eventLabel = (event: string): string => (isMemberEvent(event) ? EVENT_LABELS[event] : event);
