import { addMs, DAY_MS } from '../clock.ts';
import type { Context } from '../context.ts';

/** A file that is never completed is kept this long, and one whose import does not get on. */
const UPLOAD_KEPT_MS = DAY_MS;
const STUCK_MS = 7 * DAY_MS;

/** Ends imports that nobody works on any more, and lets go of their files. */
export async function pruneImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.sql.query(
    `WITH ended AS (
       UPDATE platform.imports
          SET status = CASE status WHEN 'UPLOADING' THEN 'CANCELLED'
                            ELSE 'FAILED' END::platform."ImportStatus",
              finished_at = $1, updated_at = $1
        WHERE finished_at IS NULL
          AND updated_at < CASE status WHEN 'UPLOADING' THEN $2 ELSE $3 END::timestamptz
       RETURNING workspace_id, mode, id)
     DELETE FROM platform.import_parts AS p USING ended AS e
      WHERE p.workspace_id = e.workspace_id AND p.mode = e.mode AND p.import_id = e.id`,
    [now, addMs(now, -UPLOAD_KEPT_MS), addMs(now, -STUCK_MS)],
  );
}
