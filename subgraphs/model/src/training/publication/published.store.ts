import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { failedWith } from '@loyalty/prisma/sqlstate';
import type { AlignmentTargetName } from '../versions/model-version.ts';

/** Did a publication fail because another live version of the target is published? */
export const isSecondPublished = (error: unknown): boolean => failedWith(error, 'UNIQUE_VIOLATION');

/** The id of the live version that is published for a target; null where there is none. */
export async function findPublishedId(ctx: Context, target: AlignmentTargetName): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT v.id FROM model.model_versions AS v
      WHERE ${inScope('v')} AND v.subject = $3::model."VersionSubject" AND v.status = 'PUBLISHED'
        AND v.kind = 'ALIGNMENT' AND v.origin = 'LIVE'`,
    [...scopeOf(ctx), target],
  );
  return row?.id ?? null;
}
