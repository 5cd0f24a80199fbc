import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import type { EvaluationReport, ReviewStatus } from './report.ts';

const hashOf = (column: string): string => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`;

const INTACT = `(${hashOf('r.report')} = r.report_hash AND ${hashOf('r.artifact')} = r.fingerprint)`;

/** Hashes are verified only by statements whose callers depend on them. */
const selected = (isIntact: string): string => `SELECT r.id, r.kind, r.version_id, r.attempt, r.passed,
    r.report, r.report_hash, r.fingerprint, r.created_at, r.status AS review_status, r.reviewed_by,
    r.reviewed_at, r.note,
    r.attempt < v.attempt AS is_stale, ${isIntact} AS is_intact
  FROM model.evaluation_reports AS r
  JOIN model.model_versions AS v
    ON v.workspace_id = r.workspace_id AND v.mode = r.mode AND v.id = r.version_id`;

/** The results of an attempt. */
export type NewReport = Pick<
  EvaluationReport,
  'id' | 'kind' | 'versionId' | 'attempt' | 'passed' | 'report' | 'reportHash' | 'fingerprint'
> & { readonly artifact: string };

export async function insertReport(tx: Context, made: NewReport): Promise<void> {
  const { id, kind, versionId, attempt, passed, report, reportHash, artifact, fingerprint } = made;
  const content = { report, reportHash, artifact, fingerprint, createdAt: tx.clock.now() };
  await tx.prisma.evaluationReport.createMany({
    data: [{ id, kind, versionId, attempt, passed, ...content }],
  });
}

/** Returns a report of this version, with its hashes verified. */
export async function findReport(
  ctx: Context,
  { id, versionId }: Pick<EvaluationReport, 'id' | 'versionId'>,
): Promise<EvaluationReport | null> {
  const [report] = await ctx.sql.query<EvaluationReport>(
    `${selected(INTACT)} WHERE ${inScope('r')} AND r.version_id = $3 AND r.id = $4`,
    [...scopeOf(ctx), versionId, id],
  );
  return report ?? null;
}

/** Loads reports by their ids, with their hashes verified. */
export const reportById: Loader<string, EvaluationReport> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<EvaluationReport>(
    `${selected(INTACT)} WHERE ${inScope('r')} AND r.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The filter of a list of reports. */
export interface ReportFilter {
  /** Null for reports of all versions. */
  readonly versionId: string | null;
  readonly isPending: boolean;
}

export async function reportsPage(
  ctx: Context,
  { versionId, isPending }: ReportFilter,
  request: PageRequest,
): Promise<Page<EvaluationReport>> {
  const { order, beyond } = scan(request, isPending ? 'ASC' : 'DESC');
  const filter = `${isPending ? `AND r.status = 'PENDING'` : ''} AND ($3::uuid IS NULL OR r.version_id = $3)`;
  const rows = await ctx.sql.query<EvaluationReport>(
    `${selected('true')} WHERE ${inScope('r')} ${filter} AND ($4::uuid IS NULL OR r.id ${beyond} $4)
      ORDER BY r.id ${order} LIMIT $5 OFFSET $6`,
    [...scopeOf(ctx), versionId, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.evaluation_reports AS r WHERE ${inScope('r')} ${filter}`,
      [...scopeOf(ctx), versionId],
    );
    return counted?.total ?? 0;
  });
}

/** Returns false if somebody else has reviewed it. */
export async function markReviewed(
  tx: Context,
  id: string,
  review: { readonly status: ReviewStatus; readonly note: string | null },
): Promise<boolean> {
  const reviewed = { reviewedBy: tx.caller.actor, reviewedAt: tx.clock.now() };
  const { count } = await tx.prisma.evaluationReport.updateMany({
    where: { id, status: 'PENDING' },
    data: { ...review, ...reviewed },
  });
  return count > 0;
}

/** Returns the stored artifact of a report. */
export async function findArtifact(ctx: Context, reportId: string): Promise<string | null> {
  const row = await ctx.prisma.evaluationReport.findFirst({
    where: { id: reportId },
    select: columns('artifact'),
  });
  return row?.artifact ?? null;
}
