import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Loader } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import type { VersionKind, VersionOrigin, VersionSubject } from '../versions/model-version.ts';

/** What a published version is of. */
export type PublishedKey = `${VersionKind}:${VersionSubject}:${VersionOrigin}`;

/** The newest published version of each. */
export const publishedByKey: Loader<string, string> = loader(async (ctx) => {
  const rows = await ctx.sql.query<{ key: string; id: string }>(
    `SELECT DISTINCT ON (v.kind, v.subject, v.origin)
            v.kind || ':' || v.subject || ':' || v.origin AS key, v.id
       FROM model.model_versions AS v
      WHERE ${inScope('v')} AND v.status = 'PUBLISHED'
      ORDER BY v.kind, v.subject, v.origin, v.published_at DESC, v.id DESC`,
    scopeOf(ctx),
  );
  return new Map(rows.map(({ key, id }) => [key, id]));
});
