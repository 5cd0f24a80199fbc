/** What segments know of a member: a copy that events keep up to date. */
export interface ProfileRow extends BasicProfile, VisitFigures, OrderFigures, SignalFigures {}

/** What every change of a member may change. */
export interface BasicProfile {
  readonly memberId: string;
  readonly status: string;
  readonly enrollmentSource: string;
  readonly isRestricted: boolean;
  readonly hasEmail: boolean;
  readonly locale: string | null;
  /** IANA name: the member's own, else that of the home store, else that of the workspace. */
  readonly timeZone: string;
  readonly homeStoreId: string | null;
  /** Month times 100 plus day. */
  readonly birthday: number | null;
  readonly createdAt: Date | string;
  readonly lastActivityAt: Date | string;
  /** Archived fields, too. */
  readonly customAttributes: Readonly<Record<string, unknown>>;
  /** Keys. */
  readonly tags: readonly string[];
  /** Purposes that hold. */
  readonly consents: readonly string[];
  readonly tierId: string | null;
  readonly tierRank: number | null;
  readonly tierChangedAt: Date | string | null;
  /** When the tier is lost if no more points are earned; null where it is not. */
  readonly tierLapsesAt: Date | string | null;
  readonly pointsBalance: number;
  readonly pointsEarned: number;
  /** Of the lot that expires next. */
  readonly pointsExpireAt: Date | string | null;
}

/** Visits and coupons. */
export interface VisitFigures {
  readonly visitCount: number;
  readonly lastVisitAt: Date | string | null;
  /** Coupons that were issued, and neither used nor voided. */
  readonly openCoupons: number;
}

/** Paid orders, and their revenue without refunds, in minor units. */
export interface OrderFigures {
  readonly orderCount: number;
  readonly orderRevenueMinor: number;
  readonly firstOrderAt: Date | string | null;
  readonly lastOrderAt: Date | string | null;
}

/** The saved state of the model: scores from 0 to 1; null where there is none. */
export interface SignalFigures {
  readonly purchaseScore: number | null;
  readonly longGapScore: number | null;
  readonly cartRemovalScore: number | null;
  /** Cycles of its own rhythm that the member has missed. */
  readonly overdueCycles: number | null;
  /** YYYY-MM-DD. */
  readonly nextOrderOn: string | null;
  readonly nextOrderConfidence: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  /** The member has left for good more likely than not. */
  readonly isLikelyLapsed: boolean | null;
}

/** A profile as it is written: parts that are null stay as they were, and are empty in a new profile. */
export interface ProfileParts {
  readonly basic: BasicProfile;
  readonly visits: VisitFigures | null;
  readonly orders: OrderFigures | null;
  readonly signals: SignalFigures | null;
}

export type OccurrenceKind = 'ORDER' | 'VISIT' | 'COUPON_ISSUED' | 'COUPON_REDEEMED' | 'TRACKED' | 'RECORD';

/** Something that a member did or has, which segments count. */
export interface OccurrenceRow {
  readonly memberId: string;
  readonly kind: OccurrenceKind;
  /** The event of TRACKED, the machine name of the object type of RECORD; empty for others. */
  readonly name: string;
  readonly occurredAt: Date | string;
  /** The order, visit, coupon, tracked event or record. */
  readonly refId: string;
  /** The store of an order or visit, the pool of a coupon. */
  readonly placeId: string | null;
  /** Of an order, without refunds, in minor units. */
  readonly amountMinor: number | null;
  /** Of a record. */
  readonly data: Readonly<Record<string, unknown>> | null;
}
