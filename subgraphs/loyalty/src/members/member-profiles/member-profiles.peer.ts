import type { Context } from '@loyalty/platform/context';
import type { ConsentPurpose } from '../consents/consent-purposes.ts';
import type { MemberStatus } from '../members/members.store.ts';

/** What segments know of a member; no personal data but the day of birth, without the year. */
export interface MemberProfile {
  readonly memberId: string;
  readonly status: Exclude<MemberStatus, 'DELETED'>;
  readonly enrollmentSource: string;
  readonly isRestricted: boolean;
  readonly hasEmail: boolean;
  readonly locale: string | null;
  /** IANA name: the member's own, else that of the home store, else that of the workspace. */
  readonly timeZone: string;
  readonly homeStoreId: string | null;
  /** Month times 100 plus day. */
  readonly birthday: number | null;
  readonly createdAt: Date;
  readonly lastActivityAt: Date;
  /** Values by custom field key, of archived fields, too. */
  readonly customAttributes: Readonly<Record<string, unknown>>;
  /** Keys, sorted. */
  readonly tags: readonly string[];
  /** Purposes to which the member consents now. */
  readonly consents: readonly ConsentPurpose[];
  readonly tierId: string | null;
  readonly tierRank: number | null;
  readonly tierChangedAt: Date | null;
  /** When a recalculation takes the tier if no more points are earned; null where none does. */
  readonly tierLapsesAt: Date | null;
  readonly pointsBalance: number;
  /** Since the member joined. */
  readonly pointsEarned: number;
  /** Of the lot that expires next. */
  readonly pointsExpireAt: Date | null;
  /** Null where they were not asked for. */
  readonly visits: MemberVisits | null;
}

/** Visits and coupons of a member. */
export interface MemberVisits {
  readonly visitCount: number;
  readonly lastVisitAt: Date | null;
  /** Coupons that were issued, and neither used nor voided. */
  readonly openCoupons: number;
  /** Those since the time that was asked for. */
  readonly occurrences: readonly MemberOccurrence[];
}

/** A visit, or what became of a coupon. */
export interface MemberOccurrence {
  readonly kind: 'VISIT' | 'COUPON_ISSUED' | 'COUPON_REDEEMED';
  readonly at: Date;
  /** The visit or coupon. */
  readonly id: string;
  /** The store of a visit, the pool of a coupon. */
  readonly placeId: string;
}

export interface MemberProfilesPage {
  readonly members: readonly MemberProfile[];
  /** The last id that the page is about; null where no member follows. */
  readonly toId: string | null;
}

const PROFILES = `query MemberProfiles($ids: [ID!]!, $visitsOf: [ID!]!, $since: DateTime!) {
  _memberProfiles(ids: $ids, visitsOf: $visitsOf, since: $since)
}`;

/**
 * A batch of members by id, at most 1,000; unknown and erased ones are left out.
 *
 * @param wanted.visitsOf - of whom visits and coupons are wanted, too
 * @param wanted.since - older visits and coupons are counted, and not listed
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function findMemberProfiles(
  ctx: Context,
  wanted: { readonly ids: readonly string[]; readonly visitsOf: readonly string[]; readonly since: Date },
): Promise<readonly MemberProfile[]> {
  const variables = { ...wanted, since: wanted.since.toISOString() };
  const question = { query: PROFILES, variables };
  return (await ctx.services.peers.ask(ctx, 'loyalty', question))['_memberProfiles'] as MemberProfile[];
}

const PAGE = `query MemberProfilesPage(
  $afterId: ID!, $first: Int!, $withVisits: Boolean!, $since: DateTime!
) {
  _memberProfilesPage(afterId: $afterId, first: $first, withVisits: $withVisits, since: $since)
}`;

/**
 * The members after an id, in the order of their ids.
 *
 * @param wanted.first - at most 1,000
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function memberProfilesAfter(
  ctx: Context,
  wanted: {
    readonly afterId: string;
    readonly first: number;
    readonly withVisits: boolean;
    readonly since: Date;
  },
): Promise<MemberProfilesPage> {
  const question = { query: PAGE, variables: { ...wanted, since: wanted.since.toISOString() } };
  const answer = await ctx.services.peers.ask(ctx, 'loyalty', question);
  return answer['_memberProfilesPage'] as MemberProfilesPage;
}
