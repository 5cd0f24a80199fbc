import type { Context } from '@loyalty/platform/context';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';

type MemberExportStatus = 'PENDING' | 'COMPLETED' | 'FAILED';

export interface MemberExport {
  readonly id: string;
  readonly memberId: string;
  readonly status: MemberExportStatus;
  readonly sizeBytes: number | null;
  /** The caller who requested it. */
  readonly actor: string;
  /** The reason why it failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

const select = {
  ...columns('id', 'memberId', 'status', 'sizeBytes', 'actor'),
  ...columns('failure', 'createdAt', 'finishedAt', 'expiresAt'),
};

/** Returns null while another export of the member is unfinished. */
export async function insertExport(
  ctx: Context,
  wanted: Pick<MemberExport, 'id' | 'memberId' | 'expiresAt'>,
): Promise<MemberExport | null> {
  const { actor } = ctx.caller;
  const [row] = await ctx.prisma.memberExport.createManyAndReturn({
    data: [{ ...wanted, status: 'PENDING', actor, createdAt: ctx.clock.now() }],
    skipDuplicates: true,
    select,
  });
  return row ?? null;
}

export const findUnfinished = (ctx: Context, memberId: string): Promise<MemberExport | null> =>
  ctx.prisma.memberExport.findFirst({ where: { memberId, finishedAt: null }, select });

/** Returns null also if it has expired. */
export const findExport = (ctx: Context, id: string): Promise<MemberExport | null> =>
  ctx.prisma.memberExport.findFirst({ where: { id, expiresAt: { gt: ctx.clock.now() } }, select });

export async function findContent(ctx: Context, id: string): Promise<Uint8Array | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ content: Uint8Array | null }>(
    `SELECT e.content_sealed AS content FROM loyalty.member_exports AS e WHERE ${inScope('e')} AND e.id = $3`,
    [workspaceId, mode, id],
  );
  return row?.content ?? null;
}

/** Stores the collected document; a late run, or one after the member's erasure, has no effect. */
export async function completeExport(
  ctx: Context,
  id: string,
  content: { readonly sealed: Uint8Array; readonly sizeBytes: number },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.member_exports AS e
        SET status = 'COMPLETED', content_sealed = $4, size_bytes = $5, finished_at = $6
      WHERE ${inScope('e')} AND e.id = $3 AND e.finished_at IS NULL`,
    [workspaceId, mode, id, content.sealed, content.sizeBytes, ctx.clock.now()],
  );
}

/** Marks an unfinished export as failed; returns false if it is finished. */
export async function failUnfinished(ctx: Context, id: string, failure: string): Promise<boolean> {
  const failed = await ctx.prisma.memberExport.updateMany({
    where: { id, finishedAt: null },
    data: { status: 'FAILED', failure, finishedAt: ctx.clock.now() },
  });
  return failed.count > 0;
}

/** Marks exports of all workspaces as failed that are unfinished since `pendingSince`. */
export async function failOldExports(ctx: Context, pendingSince: Date): Promise<void> {
  await ctx.sql.query(
    `/* every workspace */ UPDATE loyalty.member_exports SET status = 'FAILED', finished_at = $1,
            failure = 'It was not gathered within a day.'
      WHERE finished_at IS NULL AND created_at <= $2`,
    [ctx.clock.now(), pendingSince],
  );
}

/** `$1` workspace, `$2` mode, `$3` member. */
const ofMember = (alias: string) => `${inScope(alias)} AND ${alias}.member_id = $3`;

/** Data of a member outside of the member's row: every table that names members needs an entry here. */
const sections: Readonly<Record<string, string>> = {
  tier: `SELECT t.name, t.rank FROM loyalty.members AS m
      JOIN loyalty.tiers AS t ON t.workspace_id = m.workspace_id AND t.id = m.current_tier_id
     WHERE ${inScope('m')} AND m.id = $3`,
  tags: `SELECT t.key, t.label, mt.source, mt.added_at FROM loyalty.member_tags AS mt
      JOIN loyalty.tags AS t ON ${inScope('t')} AND t.id = mt.tag_id
     WHERE ${ofMember('mt')} ORDER BY mt.added_at, t.key`,
  consents: `SELECT c.purpose, c.is_granted, c.changed_at
      FROM loyalty.member_consents AS c WHERE ${ofMember('c')} ORDER BY c.purpose`,
  consentHistory: `SELECT c.purpose, c.is_granted, c.source, c.created_at
      FROM loyalty.consent_changes AS c WHERE ${ofMember('c')} ORDER BY c.id`,
  coupons: `SELECT c.code, c.status, c.issued_at, c.redeemed_at
      FROM loyalty.coupons AS c WHERE ${ofMember('c')} ORDER BY c.id`,
  visits: `SELECT v.store_id, v.visited_on, v.source, v.visited_at
      FROM loyalty.store_visits AS v WHERE ${ofMember('v')} ORDER BY v.id`,
  enrollments: `SELECT n.form_id, n.consents, n.confirmed_at, n.created_at
      FROM loyalty.enrollments AS n WHERE ${ofMember('n')} ORDER BY n.id`,
  sessions: `SELECT s.created_at, s.expires_at, s.revoked_at
      FROM loyalty.member_sessions AS s WHERE ${ofMember('s')} ORDER BY s.id`,
  ambassadorCodes: `SELECT a.code, a.created_at, a.deactivated_at
      FROM loyalty.ambassador_codes AS a WHERE ${ofMember('a')} ORDER BY a.id`,
  ambassadorScore: `SELECT s.score, s.visits, s.referrals, s.scored_at
      FROM loyalty.ambassador_scores AS s WHERE ${ofMember('s')}`,
  referredBy: `SELECT r.ambassador_id, r.created_at
      FROM loyalty.referrals AS r WHERE ${ofMember('r')}`,
  referredOrders: `SELECT o.order_id, o.created_at
      FROM loyalty.referred_orders AS o WHERE ${ofMember('o')} ORDER BY o.created_at, o.order_id`,
  captures: `SELECT k.type, k.store_id, k.created_at
      FROM loyalty.captures AS k WHERE ${ofMember('k')} ORDER BY k.id`,
  pointLots: `SELECT l.amount, l.remaining, l.description, l.available_at, l.expires_at, l.created_at
      FROM loyalty.point_lots AS l WHERE ${ofMember('l')} ORDER BY l.id`,
  pointsTransactions: `SELECT e.id, e.kind, e.amount, e.balance_after, e.description, e.created_at
      FROM loyalty.points_entries AS e WHERE ${ofMember('e')} ORDER BY e.sequence`,
};

/** Returns rows by section. */
export async function readMemberData(ctx: Context, memberId: string): Promise<Record<string, unknown[]>> {
  const { workspaceId, mode } = ctx.scope;
  const read: Record<string, unknown[]> = {};
  for (const [section, statement] of Object.entries(sections)) {
    read[section] = await ctx.sql.query(statement, [workspaceId, mode, memberId]);
  }
  return read;
}
