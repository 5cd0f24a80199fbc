import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

type MemberExportStatus = 'PENDING' | 'COMPLETED' | 'FAILED';

export interface MemberExport {
  readonly id: string;
  readonly memberId: string;
  readonly status: MemberExportStatus;
  readonly sizeBytes: number | null;
  /** Who asked for it. */
  readonly actor: string;
  /** Why it failed. */
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
}

const columns = `e.id, e.member_id, e.status, e.size_bytes, e.actor, e.failure, e.created_at, e.finished_at,
  e.expires_at`;
const scoped = inScope('e');

/** Null while another export of the member is unfinished. */
export async function insertExport(
  ctx: Context,
  wanted: Pick<MemberExport, 'id' | 'memberId' | 'expiresAt'>,
): Promise<MemberExport | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<MemberExport>(
    `INSERT INTO loyalty.member_exports AS e
       (workspace_id, mode, id, member_id, status, actor, created_at, expires_at)
     VALUES ($1, $2::platform."Mode", $3, $4, 'PENDING', $5, $6, $7)
     ON CONFLICT DO NOTHING RETURNING ${columns}`,
    [workspaceId, mode, wanted.id, wanted.memberId, ctx.caller.actor, ctx.clock.now(), wanted.expiresAt],
  );
  return row ?? null;
}

export async function findUnfinished(ctx: Context, memberId: string): Promise<MemberExport | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<MemberExport>(
    `SELECT ${columns} FROM loyalty.member_exports AS e
      WHERE ${scoped} AND e.member_id = $3 AND e.finished_at IS NULL`,
    [workspaceId, mode, memberId],
  );
  return row ?? null;
}

/** Null also where it has expired. */
export async function findExport(ctx: Context, id: string): Promise<MemberExport | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<MemberExport>(
    `SELECT ${columns} FROM loyalty.member_exports AS e WHERE ${scoped} AND e.id = $3 AND e.expires_at > $4`,
    [workspaceId, mode, id, ctx.clock.now()],
  );
  return row ?? null;
}

export async function findContent(ctx: Context, id: string): Promise<Uint8Array | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ content: Uint8Array | null }>(
    `SELECT e.content_sealed AS content FROM loyalty.member_exports AS e WHERE ${scoped} AND e.id = $3`,
    [workspaceId, mode, id],
  );
  return row?.content ?? null;
}

/** Stores what was collected; a late run, or one after the member's erasure, changes nothing. */
export async function completeExport(
  ctx: Context,
  id: string,
  content: { readonly sealed: Uint8Array; readonly sizeBytes: number },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.member_exports AS e
        SET status = 'COMPLETED', content_sealed = $4, size_bytes = $5, finished_at = $6
      WHERE ${scoped} AND e.id = $3 AND e.finished_at IS NULL`,
    [workspaceId, mode, id, content.sealed, content.sizeBytes, ctx.clock.now()],
  );
}

/** Marks an unfinished export as failed; false where it is finished. */
export async function failUnfinished(ctx: Context, id: string, failure: string): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `UPDATE loyalty.member_exports AS e SET status = 'FAILED', failure = $4, finished_at = $5
      WHERE ${scoped} AND e.id = $3 AND e.finished_at IS NULL RETURNING e.id`,
    [workspaceId, mode, id, failure, ctx.clock.now()],
  );
  return rows.length > 0;
}

/** In all workspaces: exports that are unfinished since `pendingSince` have failed. */
export async function failOldExports(ctx: Context, pendingSince: Date): Promise<void> {
  await ctx.sql.query(
    `/* every workspace */ UPDATE loyalty.member_exports SET status = 'FAILED', finished_at = $1,
            failure = 'It was not gathered within a day.'
      WHERE finished_at IS NULL AND created_at <= $2`,
    [ctx.clock.now(), pendingSince],
  );
}
