/** Triggers by event: the event that begins the actions, and what may narrow it down. */
export interface EventTriggerKind {
  readonly label: string;
  readonly event: string;
  /** Keys of the trigger that list ids, and the fields of the payload that must be one of them. */
  readonly filters: Readonly<Record<string, string>>;
}

const stores = { storeIds: 'storeId' };
const pools = { poolIds: 'poolId' };
const tiers = { tierIds: 'tierId' };

export const eventTriggers: Readonly<Record<string, EventTriggerKind>> = {
  member_created: { label: 'A member joined', event: 'member.created', filters: {} },
  enrollment_confirmed: {
    label: 'A member confirmed the address',
    event: 'loyalty.enrollment_confirmed',
    filters: {},
  },
  member_inactive: { label: 'A member became inactive', event: 'member.inactive', filters: {} },
  tag_added: { label: 'A tag was added', event: 'member.tagged', filters: { tagIds: 'tagId' } },
  tag_removed: { label: 'A tag was removed', event: 'member.untagged', filters: { tagIds: 'tagId' } },
  points_awarded: { label: 'Points were awarded', event: 'loyalty.points_awarded', filters: {} },
  points_redeemed: { label: 'Points were spent', event: 'loyalty.points_redeemed', filters: {} },
  points_expired: { label: 'Points expired', event: 'loyalty.points_expired', filters: {} },
  tier_upgraded: { label: 'A higher tier was reached', event: 'loyalty.tier_upgraded', filters: tiers },
  tier_downgraded: { label: 'The tier was lost', event: 'loyalty.tier_downgraded', filters: tiers },
  coupon_issued: { label: 'A coupon was issued', event: 'coupon.issued', filters: pools },
  coupon_redeemed: {
    label: 'A coupon was used',
    event: 'coupon.redeemed',
    filters: { ...pools, ...stores },
  },
  order_created: { label: 'An order was recorded', event: 'order.created', filters: stores },
  order_refunded: { label: 'An order was refunded', event: 'order.refunded', filters: {} },
  receipt_processed: { label: 'A receipt was checked', event: 'receipt.processed', filters: {} },
  store_visited: { label: 'A store was visited', event: 'store.visited', filters: stores },
  near_store: { label: 'The member came near a store', event: 'location.near_store', filters: stores },
  store_dwell: { label: 'The member stays near a store', event: 'location.store_dwell', filters: stores },
  segment_entered: {
    label: 'The member entered a segment',
    event: 'segment.entered',
    filters: { segmentIds: 'segmentId' },
  },
  segment_left: {
    label: 'The member left a segment',
    event: 'segment.left',
    filters: { segmentIds: 'segmentId' },
  },
};
