import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, pageOf } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { AlignmentTargetName, ModelVersion, VersionKind, VersionStatus } from './model-version.ts';

const select = {
  ...columns('id', 'kind', 'subject', 'origin', 'source', 'name', 'horizon', 'ruleVersion', 'definition'),
  ...columns('sampleCount', 'baseId', 'actor', 'administrator', 'createdAt', 'status', 'attempt'),
  ...columns('startedAt', 'finishedAt', 'failureCode', 'failure', 'step', 'done', 'reportId'),
  ...columns('fingerprint', 'publishedAt'),
};

/** Whether an attempt failed to start because another proposal for the target is queued or running. */
export const isSecondProposal = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** Returns a version; `kind` null finds versions of either kind. */
export const findVersion = (
  ctx: Context,
  id: string,
  kind: VersionKind | null,
): Promise<ModelVersion | null> =>
  ctx.prisma.modelVersion.findFirst({ where: { id, ...(kind && { kind }) }, select });

/** Loads versions of either kind. */
export const versionById: Loader<string, ModelVersion> = loader(async (ctx, ids) => {
  const rows = await ctx.prisma.modelVersion.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, row]));
});

/** Returns the version and locks it until the transaction ends. */
export const lockVersion = (
  tx: Context,
  id: string,
  kind: VersionKind | null,
): Promise<ModelVersion | null> =>
  tx.prisma.modelVersion.findFirstForUpdate({ where: { id, ...(kind && { kind }) }, select });

export const versionsPage = (
  ctx: Context,
  kind: VersionKind,
  request: PageRequest,
): Promise<Page<ModelVersion>> => pageOf(ctx.prisma.modelVersion, request, { where: { kind }, select });

/** A version before its first attempt. */
export type NewVersion = Pick<ModelVersion, 'id' | 'kind' | 'subject' | 'origin' | 'source' | 'name'> &
  Pick<
    ModelVersion,
    'horizon' | 'ruleVersion' | 'definition' | 'sampleCount' | 'baseId' | 'administrator'
  > & {
    readonly contentKey: Uint8Array<ArrayBuffer>;
    /** Samples; null for the workspace's own facts. */
    readonly content: string | null;
  };

/** Returns false if the workspace has a version with this content. */
export async function insertVersion(tx: Context, version: NewVersion): Promise<boolean> {
  const { id, kind, subject, origin, name, horizon, ruleVersion, definition } = version;
  const { source, sampleCount, baseId, administrator, contentKey, content } = version;
  const made = { actor: tx.caller.actor, createdAt: tx.clock.now() };
  const about = { id, kind, subject, origin, source, name, horizon, ruleVersion, definition };
  const { count } = await tx.prisma.modelVersion.createMany({
    data: [{ ...about, sampleCount, baseId, administrator, contentKey, ...made }],
    skipDuplicates: true,
  });
  if (count === 0) return false;
  if (content !== null) await tx.prisma.versionSamples.createMany({ data: [{ versionId: id, content }] });
  return true;
}

/** Returns the version with this content. */
export const findByContent = (
  ctx: Context,
  contentKey: Uint8Array<ArrayBuffer>,
): Promise<ModelVersion | null> => ctx.prisma.modelVersion.findFirst({ where: { contentKey }, select });

/** Returns the samples of a version; null if they were erased. */
export async function findSamples(ctx: Context, versionId: string): Promise<string | null> {
  const row = await ctx.prisma.versionSamples.findFirst({
    where: { versionId },
    select: columns('content'),
  });
  return row?.content ?? null;
}

/** Changes a locked version. */
async function updateVersion(
  tx: Context,
  id: string,
  change: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.sql.query(`UPDATE model.model_versions SET ${change} WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(tx),
    id,
    ...values,
  ]);
}

/** Deletes a version with its samples and reports. */
export async function deleteVersionRows(tx: Context, id: string): Promise<void> {
  await tx.prisma.evaluationReport.deleteMany({ where: { versionId: id } });
  await tx.prisma.versionSamples.deleteMany({ where: { versionId: id } });
  await tx.prisma.alignmentCheck.deleteMany({ where: { versionId: id } });
  await tx.prisma.modelVersion.deleteMany({ where: { id } });
}

/** The version must be locked and in a state from which it may change to the new one. */
export const markQueued = (tx: Context, id: string): Promise<void> =>
  updateVersion(
    tx,
    id,
    `status = 'QUEUED', attempt = attempt + 1, claims = 0, token = token + 1, due_at = now(),
      started_at = NULL, finished_at = NULL, failure_code = NULL, failure = NULL, step = NULL, done = 0`,
  );

export const markCancelled = (tx: Context, id: string): Promise<void> =>
  updateVersion(tx, id, `status = 'CANCELLED', token = token + 1, due_at = NULL, finished_at = $4`, [
    tx.clock.now(),
  ]);

/** @param publishedAt - null if it is no longer published */
export async function markStatus(
  tx: Context,
  id: string,
  status: VersionStatus,
  publishedAt: Date | null = null,
): Promise<void> {
  await tx.prisma.modelVersion.updateMany({ where: { id }, data: { status, publishedAt } });
}

/** Whether a publication failed because another live version of the target is published. */
export const isSecondPublished = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** A stored live alignment that is published. */
export interface StoredAlignment {
  readonly id: string;
  readonly target: AlignmentTargetName;
  /** In days. */
  readonly horizon: number;
  readonly fingerprint: string;
  /** Null if its report is gone. */
  readonly artifact: string | null;
}

/** Returns the published live alignments, at most one for each target. */
export const findLiveAlignments = (ctx: Context): Promise<StoredAlignment[]> =>
  ctx.sql.query<StoredAlignment>(
    `SELECT v.id, v.subject AS target, v.horizon, v.fingerprint, r.artifact
       FROM model.model_versions AS v
       LEFT JOIN model.evaluation_reports AS r
         ON r.workspace_id = v.workspace_id AND r.mode = v.mode AND r.id = v.report_id
      WHERE ${inScope('v')} AND v.status = 'PUBLISHED' AND v.kind = 'ALIGNMENT' AND v.origin = 'LIVE'`,
    scopeOf(ctx),
  );
