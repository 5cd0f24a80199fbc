import { changeInScope, scopeCounts } from '@loyalty/platform/loading/scope-counts';
import { initialTier } from '../../tiers/tiers/tier-sql.ts';

/**
 * The columns of a member as the code names them, for statements that return members from `loyalty.members
 * AS m`.
 */
export const memberColumns = `m.id, m.email_index AS "emailIndex", m.key_sealed AS "keySealed",
  m.email_sealed AS "emailSealed", m.name_sealed AS "nameSealed", m.phone_sealed AS "phoneSealed",
  m.birth_sealed AS "birthSealed", m.external_id AS "externalId", m.program_id AS "programId",
  m.home_store_id AS "homeStoreId", m.locale, m.time_zone AS "timeZone", m.status,
  m.enrollment_source AS "enrollmentSource", m.is_restricted AS "isRestricted",
  m.custom_attributes AS "customAttributes",
  m.points_balance AS "pointsBalance", m.points_earned AS "pointsEarned",
  m.points_sequence AS "pointsSequence", m.current_tier_id AS "currentTierId", m.erase_after AS "eraseAfter",
  m.erased_at AS "erasedAt", m.last_activity_at AS "lastActivityAt", m.created_at AS "createdAt",
  m.updated_at AS "updatedAt"`;

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
