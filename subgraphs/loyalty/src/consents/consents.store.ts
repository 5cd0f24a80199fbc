import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import type { ConsentPurpose } from './consents.events.ts';

/** A member's consent to one purpose. */
export interface Consent {
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
  /** Null if the default of the purpose applies. */
  readonly changedAt: Date | null;
}

export interface ConsentChange {
  readonly id: string;
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
  readonly source: string | null;
  readonly createdAt: Date;
}

/** Loads the consents that members decided. */
export const consentsByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Consent & { memberId: string }>(
    `SELECT member_id, purpose, is_granted, changed_at
       FROM loyalty.member_consents
      WHERE ${inScope()} AND member_id = ANY($3::uuid[])`,
    [workspaceId, mode, memberIds],
  );
  return Map.groupBy(rows, ({ memberId }) => memberId) as ReadonlyMap<string, readonly Consent[]>;
});

export interface NewConsent {
  readonly memberId: string;
  readonly purpose: ConsentPurpose;
  readonly isGranted: boolean;
  readonly source: string | null;
}

/** Changes a consent and appends it to the history, both or neither; returns false if nothing changes. */
export async function changeConsent(ctx: Context, consent: NewConsent): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `WITH changed AS (
       INSERT INTO loyalty.member_consents AS c
              (workspace_id, mode, member_id, purpose, is_granted, changed_at)
       VALUES ($1, $2::platform."Mode", $3, $4::loyalty."ConsentPurpose", $5, $9)
       ON CONFLICT (workspace_id, mode, member_id, purpose) DO UPDATE
          SET is_granted = excluded.is_granted, changed_at = excluded.changed_at
        WHERE c.is_granted <> excluded.is_granted
       RETURNING c.member_id
     )
     INSERT INTO loyalty.consent_changes
            (workspace_id, mode, member_id, purpose, is_granted, id, source, actor, created_at)
     SELECT $1, $2::platform."Mode", member_id, $4::loyalty."ConsentPurpose", $5, $6, $7, $8, $9 FROM changed
     RETURNING id`,
    [
      workspaceId,
      mode,
      consent.memberId,
      consent.purpose,
      consent.isGranted,
      newId(ctx.clock),
      consent.source,
      ctx.caller.actor,
      ctx.clock.now(),
    ],
  );
  return rows.length > 0;
}

/** Withdraws one purpose for members who never decided it; has no effect on other members. */
export async function insertWithdrawn(
  tx: Context,
  memberIds: readonly string[],
  purpose: ConsentPurpose,
  source: string,
): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  await tx.sql.query(
    `WITH withdrawn AS (
       INSERT INTO loyalty.member_consents (workspace_id, mode, member_id, purpose, is_granted, changed_at)
       SELECT $1::uuid, $2::platform."Mode", n.member_id, $5::loyalty."ConsentPurpose", false, $8::timestamptz
         FROM unnest($3::uuid[]) AS n(member_id)
       ON CONFLICT DO NOTHING
       RETURNING member_id
     )
     INSERT INTO loyalty.consent_changes
            (workspace_id, mode, member_id, purpose, is_granted, id, source, actor, created_at)
     SELECT $1::uuid, $2::platform."Mode", n.member_id, $5::loyalty."ConsentPurpose", false, n.id, $6, $7,
            $8::timestamptz
       FROM unnest($3::uuid[], $4::uuid[]) AS n(member_id, id) JOIN withdrawn USING (member_id)`,
    [
      workspaceId,
      mode,
      memberIds,
      memberIds.map(() => newId(tx.clock)),
      purpose,
      source,
      tx.caller.actor,
      tx.clock.now(),
    ],
  );
}

/** Returns the member with the address and locks it against erasure until the transaction ends. */
export async function memberWithAddress(tx: Context, emailIndex: string): Promise<string | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<{ id: string }>(
    `SELECT id FROM loyalty.members
      WHERE ${inScope()} AND email_index = $3 FOR KEY SHARE`,
    [workspaceId, mode, emailIndex],
  );
  return row?.id ?? null;
}

export async function historyPage(
  ctx: Context,
  memberId: string,
  request: PageRequest,
): Promise<Page<ConsentChange>> {
  const { workspaceId, mode } = ctx.scope;
  const where = `${inScope()} AND member_id = $3`;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<ConsentChange>(
    `SELECT id, purpose, is_granted, source, created_at
       FROM loyalty.consent_changes WHERE ${where} AND ($4::uuid IS NULL OR id ${beyond} $4)
      ORDER BY id ${order} LIMIT $5`,
    [workspaceId, mode, memberId, request.cursorId, request.size + 1],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.consent_changes WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [workspaceId, mode, memberId]);
    return counted?.total ?? 0;
  });
}

/**
 * Transactions that enrol members share the lock; a waiting transaction takes it exclusively, after all of
 * them. It is an advisory lock, because the members do not exist yet.
 */
export async function lockEnrolments(tx: Context, as: 'ENROLS' | 'WAITS'): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  const lock = as === 'ENROLS' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.sql.query(`SELECT ${lock}(hashtextextended('loyalty.enrolments:' || $1 || ':' || $2, 0))`, [
    workspaceId,
    mode,
  ]);
}
