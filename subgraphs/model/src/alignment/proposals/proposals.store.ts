import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { AlignmentTargetName } from '../../training/versions/model-version.ts';

const WAITS = `v.kind = 'ALIGNMENT' AND v.source = 'OWN_HISTORY' AND v.status = 'EVALUATED'`;

/** The newest proposal of a target and horizon that waits for its review. */
export async function waitingProposalId(
  tx: Context,
  target: AlignmentTargetName,
  horizon: number,
): Promise<string | null> {
  const [row] = await tx.sql.query<{ id: string }>(
    `SELECT v.id FROM model.model_versions AS v
      WHERE ${inScope('v')} AND ${WAITS} AND v.subject = $3::model."VersionSubject" AND v.horizon = $4
      ORDER BY v.id DESC LIMIT 1`,
    [...scopeOf(tx), target, horizon],
  );
  return row?.id ?? null;
}

/** What somebody should look at. */
export interface AlignmentNotice {
  readonly kind: 'PROPOSAL_WAITS' | 'PUBLISHED_STALE';
  readonly versionId: string;
  readonly since: Date;
}

/** Proposals that wait for a review, and alignments in use that are stale, the oldest first. */
export const findNotices = (ctx: Context): Promise<AlignmentNotice[]> =>
  ctx.sql.query<AlignmentNotice>(
    `SELECT 'PROPOSAL_WAITS' AS kind, v.id AS version_id, v.finished_at AS since
       FROM model.model_versions AS v WHERE ${inScope('v')} AND ${WAITS}
      UNION ALL
     SELECT 'PUBLISHED_STALE', v.id, c.stale_since
       FROM model.alignment_checks AS c
       JOIN model.model_versions AS v
         ON v.workspace_id = c.workspace_id AND v.mode = c.mode AND v.id = c.version_id
      WHERE ${inScope('c')} AND c.is_stale AND v.status = 'PUBLISHED'
      ORDER BY since, version_id LIMIT 20`,
    scopeOf(ctx),
  );
