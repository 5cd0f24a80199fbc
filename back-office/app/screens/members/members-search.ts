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
  readonly sort?: string | undefined;
}

interface MembersConditions {
  readonly search: string | null;
  readonly tag: string | null;
  readonly status: (typeof STATUSES)[number] | null;
  readonly tierId: string | null;
  readonly pointsMin: number | null;
  readonly sort: (typeof SORTS)[number];
}

/** What an address names that does not exist is left out. */
export function filterOf(search: MembersSearch): MembersConditions {
  const points = Number(search.points);
  return {
    search: search.search ?? null,
    tag: search.tag ?? null,
    status: STATUSES.find((each) => each === search.status) ?? null,
    tierId: search.tier ?? null,
    pointsMin: search.points && Number.isSafeInteger(points) ? points : null,
    sort: SORTS.find((each) => each === search.sort) ?? SORTS[0],
  };
}
