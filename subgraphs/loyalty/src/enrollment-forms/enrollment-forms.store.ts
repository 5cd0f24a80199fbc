import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';
import { columns, inSql } from '@loyalty/prisma/columns';

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

const select = columns('id', 'name', 'source', 'programId', 'storeId', 'token', 'isActive', 'createdAt');
const sqlColumns = inSql(select);

export const insertForm = (
  ctx: Context,
  form: Omit<EnrollmentForm, 'isActive' | 'createdAt'>,
): Promise<EnrollmentForm> =>
  ctx.prisma.enrollmentForm.create({
    data: { ...form, isActive: true, createdAt: ctx.clock.now() },
    select,
  }) as Promise<EnrollmentForm>;

/** Returns null if there is no such form. */
export async function changeForm(
  ctx: Context,
  id: string,
  isActive: boolean,
): Promise<EnrollmentForm | null> {
  const data = { isActive };
  const [row] = await ctx.prisma.enrollmentForm.updateManyAndReturn({ where: { id }, data, select });
  return (row as EnrollmentForm | undefined) ?? null;
}

/** Finds a form of any workspace: public callers have only the token. */
export async function formByToken(ctx: Context, token: string): Promise<ScopedForm | null> {
  const [row] = await ctx.sql.query<ScopedForm>(
    `SELECT ${sqlColumns}, workspace_id, mode FROM loyalty.enrollment_forms WHERE token = $1`,
    [token],
  );
  return row ?? null;
}

export const formsPage = (ctx: Context, request: PageRequest): Promise<Page<EnrollmentForm>> =>
  pageOf(ctx.prisma.enrollmentForm, request, { where: {}, select }) as Promise<Page<EnrollmentForm>>;

export const formById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.prisma.enrollmentForm.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map((rows as EnrollmentForm[]).map((row) => [row.id, row]));
});

/** The newest open form by mode; a context has one mode. */
export const newestOpenForm = loader(async (ctx, modes: readonly Scope['mode'][]) => {
  const open = { where: { isActive: true }, select, orderBy: { id: 'desc' } } as const;
  const row = (await ctx.prisma.enrollmentForm.findFirst(open)) as EnrollmentForm | null;
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
