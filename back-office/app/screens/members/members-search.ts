import { daysIn } from '../../design/days.ts';

export const STATUSES = [
  'PENDING',
  'ACTIVE',
  'UNSUBSCRIBED',
  'INACTIVE',
  'DEACTIVATION_PENDING',
  'DELETED',
] as const;
/** Sort orders. The first is the default. */
export const SORTS = [
  'CREATED_DESC',
  'CREATED_ASC',
  'LAST_ACTIVITY_DESC',
  'LAST_ACTIVITY_ASC',
  'POINTS_DESC',
  'POINTS_ASC',
] as const;

/** The filter of the members, as the address has it. */
export interface MembersSearch {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
  /** Id of the tier. */
  readonly tier?: string | undefined;
  /** Minimum balance in points. */
  readonly points?: string | undefined;
  /** Range of the day of enrolment, YYYY-MM-DD, both inclusive. */
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

/**
 * Returns the conditions of a query. Unknown values of the address are left out; so is a last day before the
 * first one.
 */
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
