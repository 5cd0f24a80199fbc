import { changeInScope, scopeCounts } from '@loyalty/platform/database/scope-counts';

/**
 * The columns of a member as the code names them, for statements that return members from `loyalty.members
 * AS m`.
 */
export const memberColumns = `m.id, m.email_index, m.key_sealed, m.email_sealed, m.name_sealed,
  m.phone_sealed, m.birth_sealed, m.external_id, m.program_id, m.home_store_id, m.locale, m.time_zone,
  m.status, m.enrollment_source, m.is_restricted, m.custom_attributes, m.points_balance, m.points_earned,
  m.points_sequence, m.current_tier_id, m.erase_after, m.erased_at, m.last_activity_at, m.created_at,
  m.updated_at`;

/** The status of a member who is active: UNSUBSCRIBED where the address is unsubscribed. */
export const activeStatus = (isUnsubscribed = 'm.is_unsubscribed'): string =>
  `(CASE WHEN ${isUnsubscribed} THEN 'UNSUBSCRIBED' ELSE 'ACTIVE' END)::loyalty."MemberStatus"`;

/** The columns of members as they are written, by their names in the code. */
export const writtenColumns = {
  id: 'id',
  keySealed: 'key_sealed',
  emailIndex: 'email_index',
  emailSealed: 'email_sealed',
  nameSealed: 'name_sealed',
  phoneSealed: 'phone_sealed',
  birthSealed: 'birth_sealed',
  externalId: 'external_id',
  programId: 'program_id',
  homeStoreId: 'home_store_id',
  locale: 'locale',
  timeZone: 'time_zone',
  status: 'status',
  enrollmentSource: 'enrollment_source',
  isUnsubscribed: 'is_unsubscribed',
  customAttributes: 'custom_attributes',
} as const;

type Values = { readonly [K in keyof typeof writtenColumns]?: string };

/** Members that are not erased. */
export const memberCounts = scopeCounts('loyalty.member_counts');

/**
 * The common table expressions of every statement that enrols members: `enrolled` are those that it enrolled,
 * and they are counted. New members are in the initial tier. `$1` is the workspace, `$2` the mode.
 *
 * @param values - SQL for each column; those left out keep the default of the table
 * @param at.now - SQL for the time of the last activity
 * @param at.createdAt - SQL for the time of joining. Default: now
 * @param from - SQL from FROM or WHERE to ON CONFLICT
 * @param returned - the columns of `loyalty.members AS m` that `enrolled` has
 */
export function insertMemberSql(
  values: Values,
  { now, createdAt = now }: { readonly now: string; readonly createdAt?: string },
  { from, returned }: { readonly from: string; readonly returned: string },
): string {
  const named = Object.entries(values) as [keyof Values, string][];
  return `enrolled AS (INSERT INTO loyalty.members AS m
    (workspace_id, mode, current_tier_id, last_activity_at, created_at, updated_at,
     ${named.map(([field]) => writtenColumns[field]).join(', ')})
  SELECT $1::uuid, $2::platform."Mode", ${initialTier}, ${now}, ${createdAt}, ${now},
         ${named.map(([, value]) => value).join(', ')}
  ${from}
  RETURNING ${returned}),
  counted AS (${memberCounts.add(changeInScope('(SELECT count(*) FROM enrolled)'))})`;
}

/**
 * The highest tier that so many points reach, by `id` and `rank`; no row where they reach none. `$1` is the
 * workspace.
 */
export const tierReached = (points: string): string =>
  `SELECT t.id, t.rank FROM loyalty.tiers AS t
    WHERE t.workspace_id = $1 AND t.upgrade_threshold <= ${points} ORDER BY t.rank DESC LIMIT 1`;

/** Id of the tier that a new member is in: the highest one that 0 points reach; null where there is none. */
export const initialTier = `(SELECT reached.id FROM (${tierReached('0')}) AS reached)`;

/** Rank of a tier by its id, below every rank for members without a tier. */
const rankOf = (tierId: string): string =>
  `coalesce((SELECT t.rank FROM loyalty.tiers AS t WHERE t.workspace_id = $1 AND t.id = ${tierId}), -1)`;

/**
 * Decides whether earned points upgrade a member at once: SQL for the id of the new tier, null where the
 * member stays. It stays when no higher tier is reached, when a tier was set by hand, and when the programme
 * counts a rolling period, whose points one statement does not know: `recalculate-members.store.ts` decides
 * then.
 *
 * @param member - SQL for the member's points with those just earned, its tier, and the end of a tier set
 * by hand
 */
export const tierUpgrade = (
  member: { readonly points: string; readonly tierId: string; readonly overrideUntil: string },
  program: { readonly isRolling: string; readonly now: string },
): string => `(
  SELECT reached.id FROM (${tierReached(member.points)}) AS reached
   WHERE reached.rank > ${rankOf(member.tierId)} AND NOT ${program.isRolling}
     AND (${member.overrideUntil} IS NULL OR ${member.overrideUntil} <= ${program.now}))`;
