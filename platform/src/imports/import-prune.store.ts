import { addMs, DAY_MS } from '../clock.ts';
import type { Context } from '../context.ts';

/** How long a file is kept that is never completed, and one whose import failed or makes no progress. */
const UPLOAD_KEPT_MS = DAY_MS;
const STUCK_MS = 7 * DAY_MS;

/** Ends imports that make no progress; deletes files that nobody completes or retries. */
export async function pruneImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.sql.query(
    `/* every workspace */ DELETE FROM platform.import_parts AS p USING platform.imports AS i
      WHERE i.status = 'FAILED' AND i.finished_at < $1
        AND p.workspace_id = i.workspace_id AND p.mode = i.mode AND p.import_id = i.id`,
    [addMs(now, -STUCK_MS)],
  );
  await ctx.sql.query(
    `/* every workspace */ WITH ended AS (
       UPDATE platform.imports
          SET status = CASE status WHEN 'UPLOADING' THEN 'CANCELLED'
                            ELSE 'FAILED' END::platform."ImportStatus",
              failure = CASE status WHEN 'UPLOADING' THEN failure
                             ELSE 'It did not get on for seven days.' END,
              finished_at = $1, updated_at = $1
        WHERE finished_at IS NULL
          AND updated_at < CASE status WHEN 'UPLOADING' THEN $2 ELSE $3 END::timestamptz
       RETURNING workspace_id, mode, id, status)
     DELETE FROM platform.import_parts AS p USING ended AS e
      WHERE e.status = 'CANCELLED'
        AND p.workspace_id = e.workspace_id AND p.mode = e.mode AND p.import_id = e.id`,
    [now, addMs(now, -UPLOAD_KEPT_MS), addMs(now, -STUCK_MS)],
  );
}
