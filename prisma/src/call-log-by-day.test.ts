import { afterAll, expect, test } from '@jest/globals';
import { migrationsBefore } from './earlier-migrations.fixture.ts';
import { cleanUp, newDir, query, start } from './embedded/embedded-postgres.fixture.ts';
import { applyMigrations } from './migrate/migrate.ts';

const before = migrationsBefore('call_log_by_day');
afterAll(cleanUp);

/** At that time the column `channel` had another name. */
const insert = (ids: string, channel = 'channel') =>
  `INSERT INTO workspace.call_log (id, workspace_id, mode, actor, ${channel}, operation, status, duration_ms,
     request_id, called_at)
   SELECT id, gen_random_uuid(), 'LIVE', 'key:a', 'REST', 'GET /x', 200, 1, 'r', now() FROM (${ids}) AS g (id)`;
/** SQL for a UUIDv7 from `number` hours ago. */
const idOf = (number: string) =>
  `(lpad(to_hex((extract(epoch FROM now() - (${number}) * interval '1 hour') * 1000)::bigint), 12, '0')
    || '7' || substr(md5((${number})::text), 1, 19))::uuid`;

test('calls from before the partitions are kept, and new ones are written beside them', async () => {
  const { url, stop } = await start(newDir());
  await applyMigrations(url, { dir: before });
  await query(url, insert(`SELECT ${idOf('n')} FROM generate_series(0, 2000) AS n`, 'door'));
  const [{ ids }] = (await query(url, 'SELECT array_agg(id ORDER BY id) AS ids FROM workspace.call_log')) as [
    { ids: string[] },
  ];
  await applyMigrations(url);
  expect(await query(url, 'SELECT array_agg(id ORDER BY id) AS ids FROM workspace.call_log')).toEqual([
    { ids },
  ]);
  // For today, tomorrow and the two days after.
  for (const hours of ['0.001', '-24', '-48', '-72']) await query(url, insert(`SELECT ${idOf(hours)}`));
  const partitions = await query(
    url,
    `SELECT tableoid::regclass::text AS name, count(*)::int AS rows FROM workspace.call_log GROUP BY 1 ORDER BY 1`,
  );
  expect(partitions.map(({ rows }) => rows)).toEqual([2_002, 1, 1, 1]);
  const indexes = await query(
    url,
    `SELECT count(*)::int AS count FROM pg_indexes WHERE schemaname = 'workspace' AND tablename = 'call_log'`,
  );
  expect(indexes).toEqual([{ count: 4 }]);
  await stop();
});
