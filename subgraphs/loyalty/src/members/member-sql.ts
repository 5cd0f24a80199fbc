import { changeInScope, scopeCounts } from '@loyalty/platform/database/scope-counts';

/**
 * The columns of a member with their names in the code, for statements that return members from
 * `loyalty.members AS m`.
 */
export const memberColumns = `m.id, m.email_index, m.key_sealed, m.email_sealed, m.name_sealed,
  m.phone_sealed, m.birth_sealed, m.external_id, m.program_id, m.home_store_id, m.locale, m.time_zone,
  m.status, m.enrollment_source, m.is_restricted, m.custom_attributes, m.points_balance, m.points_earned,
  m.points_sequence, m.current_tier_id, m.erase_after, m.erased_at, m.last_activity_at, m.created_at,
  m.updated_at`;

/** The status of an active member: UNSUBSCRIBED if the address is unsubscribed. */
export const activeStatus = (isUnsubscribed = 'm.is_unsubscribed'): string =>
  `(CASE WHEN ${isUnsubscribed} THEN 'UNSUBSCRIBED' ELSE 'ACTIVE' END)::loyalty."MemberStatus"`;

/** The written columns of members, by their names in the code. */
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

/** The stored count of members that are not erased. */
export const memberCounts = scopeCounts('loyalty.member_counts');

/**
 * The common table expressions of every statement that enrols members: `enrolled` contains the enrolled
 * members, which are also counted. New members are in the initial tier. `$1` is the workspace, `$2` the mode.
 *
 * @param values - SQL for each column; omitted columns have the default of the table
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
 * Selects `id` and `rank` of the highest tier that this number of points reaches; no row if none is reached.
 * `$1` is the workspace.
 */
export const tierReached = (points: string): string =>
  `SELECT t.id, t.rank FROM loyalty.tiers AS t
    WHERE t.workspace_id = $1 AND t.upgrade_threshold <= ${points} ORDER BY t.rank DESC LIMIT 1`;

/** Id of the initial tier of a new member: the highest one that 0 points reach; null if there is none. */
export const initialTier = `(SELECT reached.id FROM (${tierReached('0')}) AS reached)`;

/** Rank of a tier by its id; for members without a tier, a value below every rank. */
const rankOf = (tierId: string): string =>
  `coalesce((SELECT t.rank FROM loyalty.tiers AS t WHERE t.workspace_id = $1 AND t.id = ${tierId}), -1)`;

/**
 * Returns SQL for the id of the tier to which earned points upgrade a member at once, null without an
 * upgrade. There is none if no higher tier is reached, if a tier was set manually, and if the programme
 * counts a rolling period, whose points one statement does not know: then `recalculate-members.store.ts`
 * decides.
 *
 * @param member - SQL for the member's points including the new ones, its tier, and the end of a manual tier
 */
export const tierUpgrade = (
  member: { readonly points: string; readonly tierId: string; readonly overrideUntil: string },
  program: { readonly isRolling: string; readonly now: string },
): string => `(
  SELECT reached.id FROM (${tierReached(member.points)}) AS reached
   WHERE reached.rank > ${rankOf(member.tierId)} AND NOT ${program.isRolling}
     AND (${member.overrideUntil} IS NULL OR ${member.overrideUntil} <= ${program.now}))`;
