import { z } from 'zod';
import { systemCaller } from '../base/caller.ts';
import type { Context } from '../context.ts';
import { event, publish } from './events.ts';
import { job } from './jobs.ts';

/** The sandbox of a workspace must be emptied. Every subgraph with sandbox rows reacts. */
export const testDataPurgeRequested = event(
  'workspace.test_data_purge_requested',
  z.object({ purgeId: z.uuid() }),
);

/** All parts with rows in test mode; a purge waits for each of them. */
export const purgeParts = ['platform', 'loyalty', 'commerce', 'engagement', 'model'] as const;
export type PurgePart = (typeof purgeParts)[number];

/** One part was emptied; `counts` are the deleted rows by noun. */
export const testDataPurged = event(
  'workspace.test_data_purged',
  z.object({
    purgeId: z.uuid(),
    part: z.enum(purgeParts),
    counts: z.record(z.string(), z.int().nonnegative()),
  }),
);

/** One part could not be emptied, after all attempts. */
export const testDataPurgeFailed = event(
  'workspace.test_data_purge_failed',
  z.object({ purgeId: z.uuid(), part: z.enum(purgeParts), failure: z.string().max(500) }),
);

/** A table with a `mode` column, and the noun of its rows in the counts; null if they are not counted. */
export interface TestTable {
  readonly table: string;
  readonly noun: string | null;
}

const BATCH = 5_000;
/** Approximate number of rows in a sandbox. */
const SANDBOX_ROWS = 1_000;

/**
 * Declares the job that empties a part's tables in order: referring tables before the tables that they refer
 * to.
 */
export const purgeJob = (part: PurgePart, tables: readonly TestTable[]) =>
  job(
    `${part}.purge-test-data`,
    z.object({ purgeId: z.uuid() }),
    async (ctx, { purgeId }) => {
      const { workspaceId } = ctx.scope;
      const sandbox = ctx.as(systemCaller('purge-test-data', { workspaceId, mode: 'TEST' }));
      const counts: Record<string, number> = {};
      for (const { table, noun } of tables) {
        const deleted = await emptyTable(sandbox, table);
        if (noun) counts[noun] = (counts[noun] ?? 0) + deleted;
      }
      await publish(ctx, testDataPurged, { purgeId, part, counts });
    },
    {
      isLong: true,
      size: () => SANDBOX_ROWS,
      onExhausted: (ctx, { purgeId }, failure) =>
        publish(ctx, testDataPurgeFailed, { purgeId, part, failure }),
    },
  );

/** Deletes the rows of the caller's workspace and mode, in batches, so that no lock is held for long. */
async function emptyTable({ sql, scope }: Context, table: string): Promise<number> {
  if (scope.mode !== 'TEST') throw new Error('Only the sandbox is ever emptied.');
  let total = 0;
  let deleted: number;
  do {
    const rows = await sql.query(
      `DELETE FROM ${table}
        WHERE workspace_id = $1 AND mode = 'TEST'
          AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1 AND mode = 'TEST'
                                LIMIT ${BATCH}))
       RETURNING 1`,
      [scope.workspaceId],
    );
    deleted = rows.length;
    total += deleted;
  } while (deleted >= BATCH);
  return total;
}

/** Uploads of the sandbox, with their parts and issues, and stored answers of its calls. */
export const purgePlatformTestDataJob = purgeJob('platform', [
  { table: 'platform.imports', noun: 'imports' },
  { table: 'platform.exports', noun: null },
  { table: 'platform.idempotency_keys', noun: null },
]);
