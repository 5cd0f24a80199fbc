import { daysIn } from '../../design/days.ts';

export const STATUSES = [
  'PENDING',
  'ACTIVE',
  'UNSUBSCRIBED',
  'INACTIVE',
  'DEACTIVATION_PENDING',
  'DELETED',
] as const;
/** The first is the default. */
export const SORTS = [
  'CREATED_DESC',
  'CREATED_ASC',
  'LAST_ACTIVITY_DESC',
  'LAST_ACTIVITY_ASC',
  'POINTS_DESC',
  'POINTS_ASC',
] as const;

/** The filter of the list of members as its address holds it. */
export interface MembersSearch {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  /** Its id. */
  readonly tier?: string | undefined;
  /** At least so many. */
  readonly points?: string | undefined;
  /** Days on which they joined, YYYY-MM-DD; both are part of it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sort?: string | undefined;
}

interface MembersConditions {
  readonly search: string | null;
  readonly tag: string | null;
  readonly status: (typeof STATUSES)[number] | null;
  readonly tierId: string | null;
  readonly pointsMin: number | null;
  readonly joinedFrom: string | null;
  readonly joinedTo: string | null;
  readonly sort: (typeof SORTS)[number];
}

/** What an address names that does not exist is left out; so is a last day before the first one. */
export function filterOf(search: MembersSearch): MembersConditions {
  const { from, to } = daysIn(search);
  const points = Number(search.points);
  return {
    search: search.search ?? null,
    tag: search.tag ?? null,
    status: STATUSES.find((each) => each === search.status) ?? null,
    tierId: search.tier ?? null,
    pointsMin: search.points && Number.isSafeInteger(points) ? points : null,
    joinedFrom: from,
    joinedTo: to,
    sort: SORTS.find((each) => each === search.sort) ?? SORTS[0],
  };
}
