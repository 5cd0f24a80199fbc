import { firstIdAt } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import type { Instants } from '@loyalty/platform/database/day-range';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';

export type CaptureType = 'EMAIL' | 'STORE';

/** The address is decrypted only on request. */
export interface Capture {
  readonly id: string;
  readonly type: CaptureType;
  readonly emailSealed: Uint8Array;
  readonly storeId: string | null;
  readonly createdAt: Date;
}

const columns = `c.id, c.type, c.email_sealed, c.store_id, c.created_at`;
const scoped = inScope('c');

export const captureById = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<Capture>(
    `SELECT ${columns} FROM loyalty.captures AS c WHERE ${scoped} AND c.id = ANY($3::uuid[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** Locks the capture until the transaction ends; returns null if there is none. */
export async function lockRow(tx: Context, id: string): Promise<{ readonly id: string } | null> {
  const { workspaceId, mode } = tx.scope;
  const [row] = await tx.sql.query<{ id: string }>(
    `SELECT c.id FROM loyalty.captures AS c WHERE ${scoped} AND c.id = $3 FOR UPDATE`,
    [workspaceId, mode, id],
  );
  return row ?? null;
}

/** Returns the member with the capture's address, linked or not; null if there is none. */
export async function findMemberOf(ctx: Context, id: string): Promise<string | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ memberId: string | null }>(
    `SELECT coalesce(c.member_id, m.id) AS member_id
       FROM loyalty.captures AS c
       LEFT JOIN loyalty.members AS m
         ON m.workspace_id = c.workspace_id AND m.mode = c.mode AND m.email_index = c.email_index
      WHERE ${scoped} AND c.id = $3`,
    [workspaceId, mode, id],
  );
  return row?.memberId ?? null;
}

/** Loads the members with the addresses of captures; captures without a member are left out. */
export const memberIdByCapture = loader(async (ctx, ids: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ id: string; memberId: string }>(
    `SELECT c.id, coalesce(c.member_id, m.id) AS member_id
       FROM loyalty.captures AS c
       LEFT JOIN loyalty.members AS m
         ON m.workspace_id = c.workspace_id AND m.mode = c.mode AND m.email_index = c.email_index
      WHERE ${scoped} AND c.id = ANY($3::uuid[]) AND coalesce(c.member_id, m.id) IS NOT NULL`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map(({ id, memberId }) => [id, memberId]));
});

/** Conditions; null does not count. */
interface CaptureFilter extends Instants {
  readonly storeId: string | null;
  readonly type: CaptureType | null;
}

/** Contains only the conditions that apply, so that each combination has its own plan. */
export async function capturesPage(
  ctx: Context,
  request: PageRequest,
  { storeId, type, from, to }: CaptureFilter,
): Promise<Page<Capture>> {
  const params: unknown[] = [ctx.scope.workspaceId, ctx.scope.mode];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = [
    scoped,
    ...(storeId ? [`c.store_id = ${bind(storeId)}`] : []),
    ...(type ? [`c.type = ${bind(type)}::loyalty."CaptureType"`] : []),
    ...(from ? [`c.id >= ${bind(firstIdAt(from))}`] : []),
    ...(to ? [`c.id < ${bind(firstIdAt(to))}`] : []),
  ].join(' AND ');
  const counted = [...params];
  const { order, beyond } = scan(request);
  const behindCursor = request.cursorId ? ` AND c.id ${beyond} ${bind(request.cursorId)}` : '';
  const rows = await ctx.sql.query<Capture>(
    `SELECT ${columns} FROM loyalty.captures AS c WHERE ${where}${behindCursor}
      ORDER BY c.id ${order} LIMIT ${bind(request.size + 1)} OFFSET ${bind(request.offset)}`,
    params,
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.captures AS c WHERE ${where}`;
    const [found] = await ctx.sql.query<{ total: number }>(sql, counted);
    return found?.total ?? 0;
  });
}

interface NewCapture extends Omit<Capture, 'createdAt'> {
  /** Every index under which the address may be stored, the current one first. */
  readonly emailIndexes: readonly string[];
  readonly memberId: string | null;
}

/** Returns null if the address is already stored for this store, or without a store. */
export async function insertCapture(ctx: Context, capture: NewCapture): Promise<Capture | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Capture>(
    `INSERT INTO loyalty.captures AS c
       (workspace_id, mode, id, type, email_index, email_sealed, store_id, member_id, created_at)
     SELECT $1::uuid, $2::platform."Mode", $3::uuid, $4::loyalty."CaptureType", $5::text, $6::bytea, $7::uuid,
            $8::uuid, $9::timestamptz
      WHERE NOT EXISTS (SELECT 1 FROM loyalty.captures
                         WHERE ${inScope()}
                           AND email_index = ANY($10::text[]) AND store_id IS NOT DISTINCT FROM $7)
     ON CONFLICT DO NOTHING
     RETURNING ${columns}`,
    [
      workspaceId,
      mode,
      capture.id,
      capture.type,
      capture.emailIndexes[0],
      capture.emailSealed,
      capture.storeId,
      capture.memberId,
      ctx.clock.now(),
      capture.emailIndexes,
    ],
  );
  return row ?? null;
}

export async function findByAddress(
  ctx: Context,
  emailIndexes: readonly string[],
  storeId: string | null,
): Promise<Capture | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<Capture>(
    `SELECT ${columns} FROM loyalty.captures AS c
      WHERE ${scoped} AND c.email_index = ANY($3::text[]) AND c.store_id IS NOT DISTINCT FROM $4::uuid
      ORDER BY c.id LIMIT 1`,
    [workspaceId, mode, emailIndexes, storeId],
  );
  return row ?? null;
}

export async function linkToMember(
  ctx: Context,
  emailIndexes: readonly string[],
  memberId: string,
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `UPDATE loyalty.captures AS c SET member_id = $4
      WHERE ${scoped} AND c.email_index = ANY($3::text[]) AND c.member_id IS NULL`,
    [workspaceId, mode, emailIndexes, memberId],
  );
}

/** Deletes the captures of a member; their coupons stay without a capture. */
export async function removeOfMember(ctx: Context, memberId: string): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `WITH gone AS (
       DELETE FROM loyalty.captures AS c WHERE ${scoped} AND c.member_id = $3 RETURNING c.id
     )
     UPDATE loyalty.coupons AS c SET capture_id = NULL FROM gone
      WHERE ${scoped} AND c.capture_id = gone.id`,
    [workspaceId, mode, memberId],
  );
}
