import { addMs, DAY_MS } from '../clock.ts';
import type { Context } from '../context.ts';

/** How long a file may stay incomplete, and an import without progress. */
const UPLOAD_KEPT_MS = DAY_MS;
const STUCK_MS = 7 * DAY_MS;
const BATCH = 1_000;

/** Ends imports of all workspaces that make no progress. */
export async function endStuckImports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const params = [now, addMs(now, -UPLOAD_KEPT_MS), addMs(now, -STUCK_MS)];
  let ended: readonly unknown[];
  do {
    ended = await ctx.sql.query(
      `/* every workspace */ UPDATE platform.imports
          SET status = CASE status WHEN 'UPLOADING' THEN 'CANCELLED'
                            ELSE 'FAILED' END::platform."ImportStatus",
              failure = CASE status WHEN 'UPLOADING' THEN failure
                             ELSE 'It did not get on for seven days.' END,
              finished_at = $1, updated_at = $1
        WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM platform.imports
                 WHERE finished_at IS NULL
                   AND updated_at < CASE status WHEN 'UPLOADING' THEN $2 ELSE $3 END::timestamptz
                 LIMIT ${BATCH} FOR UPDATE))
       RETURNING 1`,
      params,
    );
  } while (ended.length === BATCH);
}
