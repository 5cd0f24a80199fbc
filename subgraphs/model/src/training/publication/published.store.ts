import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { AlignmentTargetName } from '../versions/model-version.ts';

/** Did a publication fail because another live version of the target is published? */
export const isSecondPublished = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** A live alignment in use, as it is stored. */
export interface StoredAlignment {
  readonly id: string;
  readonly target: AlignmentTargetName;
  /** Days. */
  readonly horizon: number;
  readonly fingerprint: string;
  /** Null where its report is gone. */
  readonly artifact: string | null;
}

/** The live alignments that are published, at most one for each target. */
export const findLiveAlignments = (ctx: Context): Promise<StoredAlignment[]> =>
  ctx.sql.query<StoredAlignment>(
    `SELECT v.id, v.subject AS target, v.horizon, v.fingerprint, r.artifact
       FROM model.model_versions AS v
       LEFT JOIN model.evaluation_reports AS r
         ON r.workspace_id = v.workspace_id AND r.mode = v.mode AND r.id = v.report_id
      WHERE ${inScope('v')} AND v.status = 'PUBLISHED' AND v.kind = 'ALIGNMENT' AND v.origin = 'LIVE'`,
    scopeOf(ctx),
  );
