import type { MemberOrdersFragment, MemberProfileFragment, MemberSignalsFragment } from '#generated/peers';

/** What every change of a member may change. */
type BasicProfile = Omit<MemberProfileFragment, 'visits'>;

/** Visits and coupons. */
type VisitFigures = Omit<NonNullable<MemberProfileFragment['visits']>, 'occurrences'>;

/** All orders but cancelled ones. */
export type OrderFigures = Omit<MemberOrdersFragment, 'memberId' | 'orders'>;

/** Scores and predictions of the model; all null where it has none. */
export type SignalFigures = Omit<MemberSignalsFragment, 'memberId' | 'isLikelyLapsed'> & {
  readonly isLikelyLapsed: boolean | null;
};

/** Times may be Dates, too. */
type Written<Part> = {
  readonly [Field in keyof Part]: Part[Field] | (Field extends `${string}At` ? Date : never);
};

/** What segments know of a member: a copy that events keep up to date. */
export type ProfileRow = Written<BasicProfile & VisitFigures & OrderFigures & SignalFigures>;

/** A profile as it is written: parts that are null stay as they were, and are empty in a new profile. */
export interface ProfileParts {
  readonly basic: Written<BasicProfile>;
  readonly visits: Written<VisitFigures> | null;
  readonly orders: Written<OrderFigures> | null;
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
