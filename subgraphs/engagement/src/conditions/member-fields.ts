import type { Aspect } from './condition.ts';
import type { FieldType } from './operators.ts';

/** A field of members that conditions may use. */
export interface MemberField {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  /** The aspect that the field belongs to. */
  readonly aspect: Aspect;
  /** SQL over `engagement.profiles AS p`. */
  readonly column: string;
  readonly isWhole?: boolean;
  /** The allowed values. */
  readonly options?: readonly string[];
  /** The noun whose ids are the values. */
  readonly names?: 'TIER' | 'STORE';
}

const day = (column: string): string => `(p.${column}::timestamp AT TIME ZONE p.time_zone)`;

/** The fields that all workspaces have, without custom fields. */
export const memberFields: readonly MemberField[] = [
  {
    key: 'status',
    label: 'Status',
    type: 'KEYWORD',
    aspect: 'MEMBER',
    column: 'p.status',
    options: ['PENDING', 'ACTIVE', 'UNSUBSCRIBED', 'INACTIVE', 'DEACTIVATION_PENDING'],
  },
  {
    key: 'enrollment_source',
    label: 'Joined by',
    type: 'KEYWORD',
    aspect: 'MEMBER',
    column: 'p.enrollment_source',
    options: ['API', 'QR', 'PORTAL', 'WEB', 'IMPORT'],
  },
  { key: 'created_at', label: 'Joined', type: 'MOMENT', aspect: 'MEMBER', column: 'p.created_at' },
  {
    key: 'last_activity_at',
    label: 'Last active',
    type: 'MOMENT',
    aspect: 'MEMBER',
    column: 'p.last_activity_at',
  },
  { key: 'birthday', label: 'Birthday', type: 'DAY_OF_YEAR', aspect: 'MEMBER', column: 'p.birthday' },
  { key: 'locale', label: 'Language', type: 'TEXT', aspect: 'MEMBER', column: 'p.locale' },
  { key: 'time_zone', label: 'Time zone', type: 'TEXT', aspect: 'MEMBER', column: 'p.time_zone' },
  {
    key: 'home_store',
    label: 'Home store',
    type: 'KEYWORD',
    aspect: 'MEMBER',
    column: 'p.home_store_id::text',
    names: 'STORE',
  },
  { key: 'has_email', label: 'Has an e-mail address', type: 'FLAG', aspect: 'MEMBER', column: 'p.has_email' },
  { key: 'is_restricted', label: 'Restricted', type: 'FLAG', aspect: 'MEMBER', column: 'p.is_restricted' },
  { key: 'tags', label: 'Tags', type: 'SET', aspect: 'TAGS', column: 'p.tags' },
  {
    key: 'consents',
    label: 'Consents',
    type: 'SET',
    aspect: 'CONSENTS',
    column: 'p.consents',
    options: ['EMAIL_MARKETING', 'PRECISE_LOCATION', 'PROFILING'],
  },
  { key: 'tier', label: 'Tier', type: 'KEYWORD', aspect: 'TIER', column: 'p.tier_id::text', names: 'TIER' },
  {
    key: 'tier_rank',
    label: 'Rank of the tier',
    type: 'NUMBER',
    aspect: 'TIER',
    column: 'p.tier_rank',
    isWhole: true,
  },
  {
    key: 'tier_changed_at',
    label: 'Tier changed',
    type: 'MOMENT',
    aspect: 'TIER',
    column: 'p.tier_changed_at',
  },
  {
    key: 'tier_lapses_at',
    label: 'Tier is lost',
    type: 'MOMENT',
    aspect: 'TIER',
    column: 'p.tier_lapses_at',
  },
  {
    key: 'points_balance',
    label: 'Points balance',
    type: 'NUMBER',
    aspect: 'POINTS',
    column: 'p.points_balance',
    isWhole: true,
  },
  {
    key: 'points_earned',
    label: 'Points earned in all',
    type: 'NUMBER',
    aspect: 'POINTS',
    column: 'p.points_earned',
    isWhole: true,
  },
  {
    key: 'points_expire_at',
    label: 'Points expire',
    type: 'MOMENT',
    aspect: 'POINTS',
    column: 'p.points_expire_at',
  },
  {
    key: 'order_count',
    label: 'Orders',
    type: 'NUMBER',
    aspect: 'ORDERS',
    column: 'p.order_count',
    isWhole: true,
  },
  {
    key: 'order_revenue_minor',
    label: 'Revenue, in minor units',
    type: 'NUMBER',
    aspect: 'ORDERS',
    column: 'p.order_revenue_minor',
    isWhole: true,
  },
  {
    key: 'first_order_at',
    label: 'First order',
    type: 'MOMENT',
    aspect: 'ORDERS',
    column: 'p.first_order_at',
  },
  { key: 'last_order_at', label: 'Last order', type: 'MOMENT', aspect: 'ORDERS', column: 'p.last_order_at' },
  {
    key: 'visit_count',
    label: 'Store visits',
    type: 'NUMBER',
    aspect: 'VISITS',
    column: 'p.visit_count',
    isWhole: true,
  },
  {
    key: 'last_visit_at',
    label: 'Last store visit',
    type: 'MOMENT',
    aspect: 'VISITS',
    column: 'p.last_visit_at',
  },
  {
    key: 'open_coupons',
    label: 'Coupons that were not used',
    type: 'NUMBER',
    aspect: 'COUPONS',
    column: 'p.open_coupons',
    isWhole: true,
  },
  {
    key: 'purchase_score',
    label: 'Signal of a purchase, 0 to 1',
    type: 'NUMBER',
    aspect: 'STATE',
    column: 'p.purchase_score::numeric',
  },
  {
    key: 'long_gap_score',
    label: 'Signal of no purchase, 0 to 1',
    type: 'NUMBER',
    aspect: 'STATE',
    column: 'p.long_gap_score::numeric',
  },
  {
    key: 'cart_removal_score',
    label: 'Share of items removed from carts, 0 to 1',
    type: 'NUMBER',
    aspect: 'STATE',
    column: 'p.cart_removal_score::numeric',
  },
  {
    key: 'next_order_on',
    label: 'Next order, as predicted',
    type: 'MOMENT',
    aspect: 'STATE',
    column: day('next_order_on'),
  },
  {
    key: 'next_order_confidence',
    label: 'Confidence of the next order',
    type: 'KEYWORD',
    aspect: 'STATE',
    column: 'p.next_order_confidence',
    options: ['LOW', 'MEDIUM', 'HIGH'],
  },
  {
    key: 'overdue_cycles',
    label: 'Cycles of their own rhythm that were missed',
    type: 'NUMBER',
    aspect: 'STATE',
    column: 'p.overdue_cycles::numeric',
  },
  {
    key: 'is_likely_lapsed',
    label: 'Has probably left',
    type: 'FLAG',
    aspect: 'STATE',
    column: 'p.is_likely_lapsed',
  },
];

export const memberFieldByKey: ReadonlyMap<string, MemberField> = new Map(
  memberFields.map((field) => [field.key, field]),
);
