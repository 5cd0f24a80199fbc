import { z } from 'zod';
import { addMs, DAY_MS } from '../clock.ts';
import { pruneImports } from '../imports/import-prune.store.ts';
import { job } from './jobs.ts';

/** How long relayed events are kept, so that one can find out what happened. */
const OUTBOX_KEPT_MS = 7 * DAY_MS;
const BATCH = 10_000;

/** Deletes what the platform keeps only for a while, in batches that hold no lock for long. */
export const pruneJob = job('platform.prune', z.object({}), async (ctx) => {
  const now = ctx.clock.now();
  const dayAgo = addMs(now, -DAY_MS);
  const stale: [table: string, condition: string, before: Date][] = [
    ['platform.outbox', 'relayed_at < $1', addMs(now, -OUTBOX_KEPT_MS)],
    ['platform.idempotency_keys', 'expires_at < $1', now],
    ['platform.write_guards', 'window_start < $1', dayAgo],
  ];
  await pruneImports(ctx);
  for (const [table, condition, before] of stale) {
    let deleted: number;
    do {
      const rows = await ctx.sql.query(
        `/* every workspace */ DELETE FROM ${table}
          WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${BATCH}))
         RETURNING 1`,
        [before],
      );
      deleted = rows.length;
    } while (deleted === BATCH);
  }
});
