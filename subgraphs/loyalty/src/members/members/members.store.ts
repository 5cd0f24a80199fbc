import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { failedWith } from '@loyalty/prisma/sqlstate';
import { possibleMemberIds } from './external-ids.ts';

export type MemberStatus =
  | 'PENDING'
  | 'ACTIVE'
  | 'UNSUBSCRIBED'
  | 'INACTIVE'
  | 'DEACTIVATION_PENDING'
  | 'DELETED';
export type EnrollmentSource = 'API' | 'QR' | 'PORTAL' | 'WEB' | 'IMPORT';

/** What is stored of a member as it is; sealed fields are opened only where they are asked for. */
export interface Member {
  readonly id: string;
  readonly emailIndex: string | null;
  /** The member's own key, which seals the fields below; null once it is erased. */
  readonly keySealed: Uint8Array | null;
  readonly emailSealed: Uint8Array | null;
  readonly nameSealed: Uint8Array | null;
  readonly phoneSealed: Uint8Array | null;
  readonly birthSealed: Uint8Array | null;
  readonly externalId: string | null;
  readonly programId: string | null;
  readonly homeStoreId: string | null;
  readonly locale: string | null;
  readonly status: MemberStatus;
  readonly enrollmentSource: EnrollmentSource;
  readonly isRestricted: boolean;
  readonly customAttributes: Readonly<Record<string, unknown>>;
  readonly pointsBalance: number;
  readonly pointsEarned: bigint;
  /** Entries in the member's ledger. */
  readonly pointsSequence: number;
  readonly currentTierId: string | null;
  readonly eraseAfter: Date | null;
  readonly erasedAt: Date | null;
  readonly lastActivityAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** True where the caller asked for this one member; personal fields are masked otherwise. */
  readonly isClear?: boolean;
}

/**
 * The columns of a member in its own spelling, for every statement that returns one from `loyalty.members AS
 * m`.
 */
export const memberColumns = `m.id, m.email_index AS "emailIndex", m.key_sealed AS "keySealed",
  m.email_sealed AS "emailSealed",
  m.name_sealed AS "nameSealed", m.phone_sealed AS "phoneSealed", m.birth_sealed AS "birthSealed",
  m.external_id AS "externalId", m.program_id AS "programId", m.home_store_id AS "homeStoreId", m.locale,
    m.status,
  m.enrollment_source AS "enrollmentSource", m.is_restricted AS "isRestricted",
  m.custom_attributes AS "customAttributes", m.points_balance AS "pointsBalance",
    m.points_earned AS "pointsEarned",
  m.points_sequence AS "pointsSequence", m.current_tier_id AS "currentTierId", m.erase_after AS "eraseAfter",
  m.erased_at AS "erasedAt", m.last_activity_at AS "lastActivityAt", m.created_at AS "createdAt",
  m.updated_at AS "updatedAt"`;

const scoped = inScope('m');

/** Members by id, erased ones too, so that what refers to them still resolves. */
export const memberById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m WHERE ${scoped} AND m.id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The member as it is now, past the loader's memory. */
export async function findMember(ctx: Context, id: string): Promise<Member | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m WHERE ${scoped} AND m.id = $3`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/** The member, which nobody erases before the transaction ends; null when it is erased or unknown. */
export async function holdMember(tx: Context, id: string): Promise<Member | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<Member>(
    `SELECT ${memberColumns} FROM loyalty.members AS m
      WHERE ${scoped} AND m.id = $3 AND m.status <> 'DELETED' FOR KEY SHARE`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

export interface MemberFilter {
  readonly status: MemberStatus | null;
  readonly programId: string | null;
  readonly tagId: string | null;
  /** Blind indexes and plain text of one searched value. */
  readonly search: { readonly emailIndexes: readonly string[]; readonly externalId: string } | null;
}

export async function membersPage(
  ctx: Context,
  request: PageRequest,
  filter: MemberFilter,
): Promise<Page<Member>> {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode];
  const bind = (value: unknown) => `$${params.push(value)}`;
  // Only conditions that apply are written, so that each combination keeps the plan that fits it.
  const conditions = [
    scoped,
    filter.status ? `m.status = ${bind(filter.status)}::loyalty."MemberStatus"` : 'm.erased_at IS NULL',
    ...(filter.programId ? [`m.program_id = ${bind(filter.programId)}`] : []),
  ];
  if (filter.tagId) {
    conditions.push(`m.id IN (SELECT mt.member_id FROM loyalty.member_tags AS mt
      WHERE mt.workspace_id = $1 AND mt.mode = $2::platform."Mode" AND mt.tag_id = ${bind(filter.tagId)})`);
  }
  if (filter.search) {
    const { emailIndexes, externalId } = filter.search;
    conditions.push(
      `(m.email_index = ANY(${bind(emailIndexes)}::text[]) OR m.external_id = ${bind(externalId)})`,
    );
  }
  const where = conditions.join(' AND ');
  const counted = [...params];
  const { order, beyond } = scan(request);
  const behindCursor = request.cursorId ? ` AND m.id ${beyond} ${bind(request.cursorId)}` : '';
  const limits = `LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`;
  // Rows that an offset skips are read from an index alone.
  const rows = await ctx.sql.query<Member>(
    `SELECT ${memberColumns}
       FROM (SELECT m.id FROM loyalty.members AS m
              WHERE ${where}${behindCursor} ORDER BY m.id ${order} ${limits}) AS found
       JOIN loyalty.members AS m ON ${scoped} AND m.id = found.id
      ORDER BY m.id ${order}`,
    params,
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.members AS m WHERE ${where}`;
    const [count] = await ctx.sql.query<{ total: number }>(sql, counted);
    return count?.total ?? 0;
  });
}

/** Details that a write may set; those left out stay as they are, null clears. */
export interface MemberDetails {
  readonly nameSealed?: Uint8Array | null;
  readonly phoneSealed?: Uint8Array | null;
  readonly birthSealed?: Uint8Array | null;
  readonly externalId?: string | null;
  readonly programId?: string | null;
  readonly homeStoreId?: string | null;
  readonly locale?: string | null;
}

export interface NewMember extends MemberDetails {
  readonly id: string;
  /** Every index the address may be stored under, the current first. */
  readonly emailIndexes: readonly string[];
  readonly keySealed: Uint8Array;
  readonly emailSealed: Uint8Array;
  readonly status: MemberStatus;
  readonly enrollmentSource: EnrollmentSource;
  readonly isUnsubscribed: boolean;
  readonly customAttributes: Readonly<Record<string, unknown>>;
}

/** Null when another member has the address or the external id. A tier from 0 points is entered at once. */
export async function insertMember(ctx: Context, member: NewMember): Promise<Member | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Member>(
    `INSERT INTO loyalty.members AS m
       (workspace_id, mode, id, email_index, email_sealed, name_sealed, phone_sealed, birth_sealed,
        external_id, program_id, home_store_id, locale, status, enrollment_source, custom_attributes,
        current_tier_id, last_activity_at, created_at, updated_at, key_sealed, is_unsubscribed)
     SELECT $1::uuid, $2::platform."Mode", $3::uuid, $4::text, $5::bytea, $6::bytea, $7::bytea, $8::bytea,
            $9::text, $10::text, $11::uuid, $12::text, $13::loyalty."MemberStatus",
            $14::loyalty."EnrollmentSource", $15::jsonb,
            (SELECT id FROM loyalty.tiers WHERE workspace_id = $1 AND upgrade_threshold <= 0
              ORDER BY rank DESC LIMIT 1),
            $16::timestamptz, $16::timestamptz, $16::timestamptz, $18::bytea, $19::boolean
      WHERE NOT EXISTS (SELECT 1 FROM loyalty.members
                         WHERE workspace_id = $1 AND mode = $2::platform."Mode"
                           AND email_index = ANY($17::text[]))
        AND NOT EXISTS (SELECT 1 FROM loyalty.members
                         WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND id = ANY($20::uuid[]))
     ON CONFLICT DO NOTHING
     RETURNING ${memberColumns}`,
    [
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
    ],
  );
  return row ?? null;
}

/** Does a member of the workspace have one of these address indexes? */
export async function emailIsTaken(ctx: Context, emailIndexes: readonly string[]): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `SELECT 1 FROM loyalty.members AS m WHERE ${scoped} AND m.email_index = ANY($3::text[]) LIMIT 1`,
    [workspaceId, mode, emailIndexes],
  );
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
};

/** Custom attributes of one write: values to set, and keys to drop. */
export interface AttributeChange {
  readonly set: Readonly<Record<string, unknown>>;
  readonly cleared: readonly string[];
}

/**
 * Changes details and merges attributes in one statement, so that writes of different keys never undo each
 * other.
 * Null when the member does not exist or was erased; 'EXTERNAL_ID_TAKEN' when another member has the external
 * id.
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
    // The unique index alone decides who came first.
    if (!failedWith(error, 'UNIQUE_VIOLATION')) throw error;
    return 'EXTERNAL_ID_TAKEN';
  }
}
