import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

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

const select = {
  ...columns('id', 'memberId', 'status', 'sizeBytes', 'actor'),
  ...columns('failure', 'createdAt', 'finishedAt', 'expiresAt'),
};

/** Null while another export of the member is unfinished. */
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

/** Null also where it has expired. */
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
      WHERE ${inScope('e')} AND e.id = $3 AND e.finished_at IS NULL`,
    [workspaceId, mode, id, content.sealed, content.sizeBytes, ctx.clock.now()],
  );
}

/** Marks an unfinished export as failed; false where it is finished. */
export async function failUnfinished(ctx: Context, id: string, failure: string): Promise<boolean> {
  const failed = await ctx.prisma.memberExport.updateMany({
    where: { id, finishedAt: null },
    data: { status: 'FAILED', failure, finishedAt: ctx.clock.now() },
  });
  return failed.count > 0;
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
