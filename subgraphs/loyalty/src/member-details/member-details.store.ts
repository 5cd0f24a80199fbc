import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { Consent } from '../consents/consents.store.ts';
import { insertMemberSql, memberColumns } from '../members/member-sql.ts';
import { possibleMemberIds } from '../members/members.input.ts';
import type { EnrollmentSource, Member, MemberDetails, MemberStatus } from '../members/members.service.ts';

const scoped = inScope('m');

interface NewMember extends MemberDetails {
  readonly id: string;
  /** Every index under which the address may be stored, the current one first. */
  readonly emailIndexes: readonly string[];
  readonly keySealed: Uint8Array;
  readonly emailSealed: Uint8Array;
  readonly status: MemberStatus;
  readonly enrollmentSource: EnrollmentSource;
  readonly isUnsubscribed: boolean;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

const NEW_MEMBER = insertMemberSql(
  {
    id: '$3::uuid',
    emailIndex: '$4::text',
    emailSealed: '$5::bytea',
    nameSealed: '$6::bytea',
    phoneSealed: '$7::bytea',
    birthSealed: '$8::bytea',
    externalId: '$9::text',
    programId: '$10::text',
    homeStoreId: '$11::uuid',
    locale: '$12::text',
    timeZone: '$21::text',
    status: '$13::loyalty."MemberStatus"',
    enrollmentSource: '$14::loyalty."EnrollmentSource"',
    customAttributes: '$15::jsonb',
    keySealed: '$18::bytea',
    isUnsubscribed: '$19::boolean',
  },
  { now: '$16::timestamptz' },
  {
    from: `
     WHERE NOT EXISTS (SELECT 1 FROM loyalty.members
                        WHERE ${inScope()} AND email_index = ANY($17::text[]))
       AND NOT EXISTS (SELECT 1 FROM loyalty.members
                        WHERE ${inScope()} AND id = ANY($20::uuid[]))
        ON CONFLICT DO NOTHING`,
    returned: memberColumns,
  },
);

/** Returns null if another member has the address or the external id. */
export async function insertMember(ctx: Context, member: NewMember): Promise<Member | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Member>(`WITH ${NEW_MEMBER} SELECT * FROM enrolled`, [
    workspaceId,
    mode,
    member.id,
    member.emailIndexes[0],
    member.emailSealed,
    member.nameSealed ?? null,
    member.phoneSealed ?? null,
    member.birthSealed ?? null,
    member.externalId ?? null,
    member.programId ?? null,
    member.homeStoreId ?? null,
    member.locale ?? null,
    member.status,
    member.enrollmentSource,
    JSON.stringify(member.customAttributes),
    ctx.clock.now(),
    member.emailIndexes,
    member.keySealed,
    member.isUnsubscribed,
    possibleMemberIds(member.externalId ? [member.externalId] : []),
    member.timeZone ?? null,
  ]);
  return row ?? null;
}

/** Whether a member of the workspace has one of these address indexes. */
export async function emailIsTaken(ctx: Context, emailIndexes: readonly string[]): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `SELECT 1 FROM loyalty.members AS m WHERE ${scoped} AND m.email_index = ANY($3::text[]) LIMIT 1`,
    [workspaceId, mode, emailIndexes],
  );
  return rows.length > 0;
}

/** Whether this is the id of a member of the workspace, erased or not. */
export async function idIsTaken(ctx: Context, id: string): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(`SELECT 1 FROM loyalty.members AS m WHERE ${scoped} AND m.id = $3`, [
    workspaceId,
    mode,
    id,
  ]);
  return rows.length > 0;
}

const changeable: Readonly<Record<keyof MemberDetails, string>> = {
  nameSealed: 'name_sealed',
  phoneSealed: 'phone_sealed',
  birthSealed: 'birth_sealed',
  externalId: 'external_id',
  programId: 'program_id',
  homeStoreId: 'home_store_id',
  locale: 'locale',
  timeZone: 'time_zone',
};

/** Custom attributes of one write: values to set, and keys to delete. */
interface AttributeChange {
  readonly set: Readonly<Record<string, unknown>>;
  readonly cleared: readonly string[];
}

/**
 * Changes details and merges attributes in one statement, so that writes of different keys never undo each
 * other. Returns null if the member does not exist or was erased; 'EXTERNAL_ID_TAKEN' if another member has
 * the external id.
 */
export async function changeMember(
  ctx: Context,
  id: string,
  details: MemberDetails,
  attributes: AttributeChange | null,
): Promise<Member | null | 'EXTERNAL_ID_TAKEN'> {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode, id];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const sets = Object.entries(details).map(
    ([field, value]) => `${changeable[field as keyof MemberDetails]} = ${bind(value)}`,
  );
  if (attributes) {
    const merged = `m.custom_attributes || ${bind(JSON.stringify(attributes.set))}::jsonb`;
    sets.push(`custom_attributes = (${merged}) - ${bind(attributes.cleared)}::text[]`);
  }
  sets.push(`updated_at = ${bind(ctx.clock.now())}`);
  try {
    const [row] = await ctx.sql.query<Member>(
      `UPDATE loyalty.members AS m SET ${sets.join(', ')}
        WHERE ${scoped} AND m.id = $3 AND m.status <> 'DELETED' RETURNING ${memberColumns}`,
      params,
    );
    return row ?? null;
  } catch (error) {
    // The unique index decides which of two writers was first.
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    return 'EXTERNAL_ID_TAKEN';
  }
}

/** A member with the name of the tier and the decided consents. */
export interface MailMemberRow extends Member {
  readonly tier: string | null;
  readonly decided: readonly Pick<Consent, 'purpose' | 'isGranted'>[];
}

/** Returns members that are not erased, with the data for mails: one statement for all. */
export const findMailRows = (ctx: Context, ids: readonly string[]): Promise<MailMemberRow[]> =>
  ctx.sql.query<MailMemberRow>(
    `SELECT ${memberColumns}, t.name AS tier,
            coalesce((SELECT jsonb_agg(jsonb_build_object('purpose', c.purpose, 'isGranted', c.is_granted))
                        FROM loyalty.member_consents AS c
                       WHERE c.workspace_id = m.workspace_id AND c.mode = m.mode AND c.member_id = m.id),
                     '[]') AS decided
       FROM loyalty.members AS m
       LEFT JOIN loyalty.tiers AS t ON t.workspace_id = m.workspace_id AND t.id = m.current_tier_id
      WHERE ${inScope('m')} AND m.id = ANY($3::uuid[]) AND m.status <> 'DELETED'`,
    [...scopeOf(ctx), ids],
  );
