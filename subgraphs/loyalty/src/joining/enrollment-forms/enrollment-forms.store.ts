import type { Scope } from '@loyalty/platform/caller/caller';
import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';

export type PublicEnrollmentSource = 'QR' | 'PORTAL' | 'WEB';

export interface EnrollmentForm {
  readonly id: string;
  readonly name: string;
  readonly source: PublicEnrollmentSource;
  readonly programId: string | null;
  readonly storeId: string | null;
  readonly token: string;
  readonly isActive: boolean;
  readonly createdAt: Date;
}

/** A form with its workspace and mode. */
export interface ScopedForm extends EnrollmentForm, Scope {}

export interface FormCounts {
  readonly enrolled: number;
  readonly confirmed: number;
}

const columns = `f.id, f.name, f.source, f.program_id, f.store_id, f.token, f.is_active, f.created_at`;
const scoped = inScope('f');

export async function insertForm(
  ctx: Context,
  form: Omit<EnrollmentForm, 'isActive' | 'createdAt'>,
): Promise<EnrollmentForm> {
  const { workspaceId, mode } = ctx.scope;
  const { id, name, source, programId, storeId, token } = form;
  const [row] = await ctx.sql.query<EnrollmentForm>(
    `INSERT INTO loyalty.enrollment_forms AS f
       (workspace_id, mode, id, name, source, program_id, store_id, token, is_active, created_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5::loyalty."EnrollmentSource", $6, $7, $8, true, $9)
     RETURNING ${columns}`,
    [workspaceId, mode, id, name, source, programId, storeId, token, ctx.clock.now()],
  );
  return row!;
}

/** Null when there is no such form. */
export async function changeForm(
  ctx: Context,
  id: string,
  isActive: boolean,
): Promise<EnrollmentForm | null> {
  const [row] = await ctx.sql.query<EnrollmentForm>(
    `UPDATE loyalty.enrollment_forms AS f SET is_active = $4 WHERE ${scoped} AND f.id = $3
     RETURNING ${columns}`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, isActive],
  );
  return row ?? null;
}

/** Of any workspace: the public has nothing but the token. */
export async function formByToken(ctx: Context, token: string): Promise<ScopedForm | null> {
  const [row] = await ctx.sql.query<ScopedForm>(
    `SELECT ${columns}, f.workspace_id, f.mode
       FROM loyalty.enrollment_forms AS f WHERE f.token = $1`,
    [token],
  );
  return row ?? null;
}

export async function formsPage(ctx: Context, request: PageRequest): Promise<Page<EnrollmentForm>> {
  const { workspaceId, mode } = ctx.scope;
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<EnrollmentForm>(
    `SELECT ${columns} FROM loyalty.enrollment_forms AS f
      WHERE ${scoped} AND ($3::uuid IS NULL OR f.id ${beyond} $3) ORDER BY f.id ${order} LIMIT $4 OFFSET $5`,
    [workspaceId, mode, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.enrollment_forms AS f WHERE ${scoped}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, [workspaceId, mode]);
    return counted?.total ?? 0;
  });
}

export const formById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<EnrollmentForm>(
    `SELECT ${columns} FROM loyalty.enrollment_forms AS f WHERE ${scoped} AND f.id = ANY($3::uuid[])`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The newest open form by mode; a context has one mode. */
export const newestOpenForm = loader(async (ctx, modes: readonly Scope['mode'][]) => {
  const [row] = await ctx.sql.query<EnrollmentForm>(
    `SELECT ${columns} FROM loyalty.enrollment_forms AS f
      WHERE ${scoped} AND f.is_active ORDER BY f.id DESC LIMIT 1`,
    [ctx.scope.workspaceId, ctx.scope.mode],
  );
  return new Map(row ? modes.map((mode) => [mode, row]) : []);
});

export const countsByForm = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<FormCounts & { id: string }>(
    `SELECT e.form_id AS id, count(*)::int AS enrolled, count(e.confirmed_at)::int AS confirmed
       FROM loyalty.enrollments AS e
      WHERE ${inScope('e')} AND e.form_id = ANY($3::uuid[])
      GROUP BY e.form_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
});
