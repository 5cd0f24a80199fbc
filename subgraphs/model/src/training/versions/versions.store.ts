import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context, Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { ModelVersion, VersionKind } from './model-version.ts';

const SELECTED = `SELECT v.id, v.kind, v.subject, v.origin, v.source, v.name, v.horizon, v.rule_version,
    v.definition, v.sample_count, v.base_id, v.actor, v.administrator, v.created_at, v.status, v.attempt,
    v.started_at, v.finished_at, v.failure_code, v.failure, v.step, v.done, v.report_id, v.fingerprint,
    v.published_at
  FROM model.model_versions AS v`;

/** Did an attempt fail to start because another proposal for the target is queued or runs? */
export const isSecondProposal = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** `kind` null finds versions of either kind. */
export async function findVersion(
  ctx: Context,
  id: string,
  kind: VersionKind | null,
): Promise<ModelVersion | null> {
  const [version] = await ctx.sql.query<ModelVersion>(
    `${SELECTED} WHERE ${inScope('v')} AND v.id = $3
       AND ($4::model."VersionKind" IS NULL OR v.kind = $4::model."VersionKind")`,
    [...scopeOf(ctx), id, kind],
  );
  return version ?? null;
}

/** Versions of either kind. */
export const versionById: Loader<string, ModelVersion> = loader(async (ctx, ids) => {
  const rows = await ctx.sql.query<ModelVersion>(
    `${SELECTED} WHERE ${inScope('v')} AND v.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

/** The version, locked until the transaction ends. */
export async function lockVersion(
  tx: Context,
  id: string,
  kind: VersionKind | null,
): Promise<ModelVersion | null> {
  const [version] = await tx.sql.query<ModelVersion>(
    `${SELECTED} WHERE ${inScope('v')} AND v.id = $3
       AND ($4::model."VersionKind" IS NULL OR v.kind = $4::model."VersionKind") FOR NO KEY UPDATE`,
    [...scopeOf(tx), id, kind],
  );
  return version ?? null;
}

export async function versionsPage(
  ctx: Context,
  kind: VersionKind,
  request: PageRequest,
): Promise<Page<ModelVersion>> {
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<ModelVersion>(
    `${SELECTED} WHERE ${inScope('v')} AND v.kind = $3::model."VersionKind"
        AND ($4::uuid IS NULL OR v.id ${beyond} $4)
      ORDER BY v.id ${order} LIMIT $5 OFFSET $6`,
    [...scopeOf(ctx), kind, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM model.model_versions
        WHERE ${inScope()} AND kind = $3::model."VersionKind"`,
      [...scopeOf(ctx), kind],
    );
    return counted?.total ?? 0;
  });
}

/** A version before its first attempt. */
export type NewVersion = Pick<ModelVersion, 'id' | 'kind' | 'subject' | 'origin' | 'source' | 'name'> &
  Pick<
    ModelVersion,
    'horizon' | 'ruleVersion' | 'definition' | 'sampleCount' | 'baseId' | 'administrator'
  > & {
    readonly contentKey: Buffer;
    /** Samples; null where they are the workspace's own facts. */
    readonly content: string | null;
  };

/** False when the workspace has a version of this content. */
export async function insertVersion(tx: Context, version: NewVersion): Promise<boolean> {
  const { id, kind, subject, origin, name, horizon, ruleVersion, definition } = version;
  const { source, sampleCount, baseId, administrator, contentKey, content } = version;
  const rows = await tx.sql.query(
    `INSERT INTO model.model_versions (workspace_id, mode, id, kind, subject, origin, name, horizon,
       rule_version, definition, sample_count, base_id, administrator, content_key, actor, created_at, source)
     VALUES ($1, $2::platform."Mode", $3, $4::model."VersionKind", $5::model."VersionSubject",
       $6::model."VersionOrigin", $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::model."VersionSource")
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...scopeOf(tx),
      ...[id, kind, subject, origin, name, horizon, ruleVersion, definition, sampleCount, baseId],
      ...[administrator, contentKey, tx.caller.actor, tx.clock.now(), source],
    ],
  );
  if (rows.length === 0) return false;
  if (content === null) return true;
  await tx.sql.query(
    `INSERT INTO model.version_samples (workspace_id, mode, version_id, content)
     VALUES ($1, $2::platform."Mode", $3, $4)`,
    [...scopeOf(tx), id, content],
  );
  return true;
}

/** The version with this content. */
export async function findByContent(ctx: Context, contentKey: Buffer): Promise<ModelVersion | null> {
  const [version] = await ctx.sql.query<ModelVersion>(
    `${SELECTED} WHERE ${inScope('v')} AND v.content_key = $3`,
    [...scopeOf(ctx), contentKey],
  );
  return version ?? null;
}

/** The samples of a version; null where they were erased. */
export async function findSamples(ctx: Context, versionId: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ content: string }>(
    `SELECT s.content FROM model.version_samples AS s WHERE ${inScope('s')} AND s.version_id = $3`,
    [...scopeOf(ctx), versionId],
  );
  return row?.content ?? null;
}

/** Changes a version that is locked. */
export async function updateVersion(
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
  for (const statement of [
    `DELETE FROM model.evaluation_reports WHERE ${inScope()} AND version_id = $3`,
    `DELETE FROM model.version_samples WHERE ${inScope()} AND version_id = $3`,
    `DELETE FROM model.alignment_checks WHERE ${inScope()} AND version_id = $3`,
    `DELETE FROM model.model_versions WHERE ${inScope()} AND id = $3`,
  ])
    await tx.sql.query(statement, [...scopeOf(tx), id]);
}
