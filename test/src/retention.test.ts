import { describe, expect, test } from '@jest/globals';
import { commerceRetention } from '@loyalty/commerce-subgraph/retention.jobs';
import { engagementRetention } from '@loyalty/engagement-subgraph/retention.jobs';
import { appendImport, createImport } from '@loyalty/loyalty-subgraph/imports/imports.service';
import { loyaltyRetention } from '@loyalty/loyalty-subgraph/retention.jobs';
import { modelRetention } from '@loyalty/model-subgraph/retention.jobs';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { endStuckImportsJob } from '@loyalty/platform/imports/import-job';
import { platformRetention, prunePlatformJob } from '@loyalty/platform/work/prune';
import { deletionOf, pruneJob, type Retention } from '@loyalty/platform/work/retention';
import { workspaceRetention } from '@loyalty/workspace-subgraph/retention.jobs';
import { useServices } from './harness/services.ts';
import { keptForGood } from './retention.fixture.ts';

const { services, ctx } = useServices();

const all = [
  ...commerceRetention,
  ...engagementRetention,
  ...loyaltyRetention,
  ...modelRetention,
  ...platformRetention,
  ...workspaceRetention,
];

test('every table is deleted from by its age, or is on the list of those that are kept', async () => {
  const tables = await services.database.sql.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND n.nspname IN ('commerce', 'engagement', 'loyalty', 'model', 'platform', 'workspace')`,
  );
  const listed = [...new Set(all.map(({ table }) => table)), ...Object.values(keptForGood).flat()];
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

/** The generic plan of the statement that deletes a batch, as PostgreSQL keeps it for any time. */
const planOf = (kept: Retention, setting: string): Promise<string> =>
  services.database.transaction(async ({ sql }) => {
    await sql.query(`SET LOCAL ${setting}`);
    await sql.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await sql.query(`PREPARE deletion (timestamptz) AS ${deletionOf(kept)}`);
    const rows = await sql.query<Record<string, string>>(`EXPLAIN EXECUTE deletion (now())`);
    await sql.query('DEALLOCATE deletion');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

// Sequential scans are off, because PostgreSQL would use them for the empty tables.
test.each(all)('$table: an index finds what is older than $days', async ({ folded: _, ...kept }) => {
  const plan = await planOf(kept, 'enable_seqscan = off');
  expect(plan).toMatch(/Index Cond: .*<= \$1/);
  expect(plan).not.toMatch(/Seq Scan|Sort/);
});

describe('events that were passed on', () => {
  const insert = (count: number, relayedAt: Date | null) =>
    ctx.sql.query(
      `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at, relayed_at)
       SELECT gen_random_uuid(), $1, 'LIVE', 'test.happened', '{}', $2, $2 FROM generate_series(1, $3)`,
      [ctx.scope.workspaceId, relayedAt, count],
    );
  const left = async (): Promise<number> =>
    (await ctx.sql.query('SELECT 1 FROM platform.outbox WHERE workspace_id = $1', [ctx.scope.workspaceId]))
      .length;

  test('go after the days of the setting, in batches, and those that wait stay', async () => {
    const limit = addMs(ctx.clock.now(), -services.config.OUTBOX_DAYS * DAY_MS);
    await insert(25, limit);
    await insert(3, addMs(limit, 1));
    await ctx.sql.query(
      `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload, created_at)
       VALUES ($1, $2, 'LIVE', 'test.happened', '{}', '2020-01-01')`,
      [newId(ctx.clock), ctx.scope.workspaceId],
    );
    services.statements.length = 0;
    const [outbox] = platformRetention;
    await pruneJob('test.prune', [{ ...outbox!, batch: 10 }]).run(ctx, {});
    expect(await left()).toBe(4);
    expect(services.statements.filter((text) => text.includes('DELETE'))).toHaveLength(3);
  });

  test('are found by the index although a third of a large table could be over', async () => {
    await insert(20_000, ctx.clock.now());
    await ctx.sql.query('ANALYZE platform.outbox');
    expect(await planOf(platformRetention[0]!, 'enable_seqscan = on')).toMatch(
      /Index Scan using outbox_relayed_at_idx/,
    );
  });
});

describe('the file of an import', () => {
  const partsOf = async (id: string): Promise<number> =>
    (await ctx.sql.query('SELECT 1 FROM platform.import_parts WHERE import_id = $1', [id])).length;
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await ctx.sql.query<{ status: string }>('SELECT status FROM platform.imports WHERE id = $1', [id]))[0]
      ?.status;
  const prune = async () => {
    for (const job of [endStuckImportsJob, prunePlatformJob]) await job.run(ctx, {});
  };
  const uploaded = async (): Promise<string> => {
    const { id } = await createImport(ctx, 'MEMBERS', { format: 'CSV' });
    await appendImport(ctx, id, 0, Buffer.from('email\n').toString('base64'));
    return id;
  };

  test('that is never completed goes after a day', async () => {
    const id = await uploaded();
    services.clock.advance(DAY_MS);
    await prune();
    expect([await statusOf(id), await partsOf(id)]).toEqual(['UPLOADING', 1]);
    services.clock.advance(1);
    await prune();
    expect([await statusOf(id), await partsOf(id)]).toEqual(['CANCELLED', 0]);
  });

  test('that failed can be started again for a while; the import is shown longer', async () => {
    const id = await uploaded();
    await ctx.sql.query(`UPDATE platform.imports SET status = 'RUNNING' WHERE id = $1`, [id]);
    services.clock.advance(7 * DAY_MS + 1);
    await prune();
    expect([await statusOf(id), await partsOf(id)]).toEqual(['FAILED', 1]);
    services.clock.advance(services.config.IMPORT_FILE_DAYS * DAY_MS + 1);
    await prune();
    expect([await statusOf(id), await partsOf(id)]).toEqual(['FAILED', 0]);
    services.clock.advance(services.config.HISTORY_DAYS * DAY_MS);
    await prune();
    expect(await statusOf(id)).toBeUndefined();
  });
});
