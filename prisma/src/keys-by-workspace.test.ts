import { afterAll, expect, test } from '@jest/globals';
import { migrationsBefore } from './earlier-migrations.fixture.ts';
import { cleanUp, newDir, query, start } from './embedded/embedded-postgres.fixture.ts';
import { applyMigrations } from './migrate/migrate.ts';

const before = migrationsBefore('keys_start_with_the_workspace');
afterAll(cleanUp);

const WORKSPACE = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';

/** Two tiers, a thousand members with one tag and one entry each, and their events. */
const FILL = `
  INSERT INTO loyalty.tiers (id, workspace_id, name, rank, upgrade_threshold, multiplier, created_at)
  SELECT gen_random_uuid(), '${WORKSPACE}', 'Tier ' || n, n, n, 1, now()
    FROM generate_series(1, 2) AS n;
  INSERT INTO loyalty.tags (id, workspace_id, mode, key, label, created_at)
  VALUES (gen_random_uuid(), '${WORKSPACE}', 'LIVE', 'vip', 'VIP', now());
  INSERT INTO loyalty.members (id, workspace_id, mode, status, enrollment_source, current_tier_id,
    last_activity_at, created_at, updated_at)
  SELECT gen_random_uuid(), workspace_id, 'LIVE', 'ACTIVE', 'API', id, now(), now(), now()
    FROM loyalty.tiers, generate_series(1, 500);
  INSERT INTO loyalty.member_tags (workspace_id, mode, member_id, tag_id, source, added_at)
  SELECT m.workspace_id, m.mode, m.id, t.id, 'API', now() FROM loyalty.members AS m, loyalty.tags AS t;
  INSERT INTO loyalty.points_entries (id, workspace_id, mode, member_id, sequence, kind, amount,
    balance_after, description, actor, created_at, earned_at)
  SELECT gen_random_uuid(), workspace_id, mode, id, 1, (enum_range(NULL::loyalty."PointsEntryKind"))[1], 1, 1,
         'welcome', 'key:a', now(), now() FROM loyalty.members;
  INSERT INTO platform.outbox (id, workspace_id, mode, type, payload)
  SELECT id, workspace_id, mode, 'member.created', '{}' FROM loyalty.members`;

const COUNT = `SELECT (SELECT count(*)::int FROM loyalty.members) AS members,
  (SELECT count(*)::int FROM loyalty.member_tags) AS tagged,
  (SELECT count(*)::int FROM loyalty.points_entries) AS entries,
  (SELECT count(*)::int FROM platform.outbox) AS events`;

test('rows from before are kept and hold to their keys; another workspace may have the same id', async () => {
  const { url, stop } = await start(newDir());
  await applyMigrations(url, { dir: before });
  await query(url, FILL);
  await applyMigrations(url);
  expect(await query(url, COUNT)).toEqual([{ members: 1_000, tagged: 1_000, entries: 1_000, events: 1_000 }]);
  await expect(query(url, 'DELETE FROM loyalty.tiers')).rejects.toThrow('violates');
  const copyTag = (workspace: string) =>
    query(
      url,
      `INSERT INTO loyalty.tags (id, workspace_id, mode, key, label, created_at)
       SELECT id, '${workspace}', mode, 'gold', label, now() FROM loyalty.tags WHERE key = 'vip'`,
    );
  await expect(copyTag(WORKSPACE)).rejects.toMatchObject({ code: '23505', constraint: 'tags_pkey' });
  await copyTag(OTHER);
  await query(url, `DELETE FROM loyalty.tags WHERE workspace_id = '${WORKSPACE}'`);
  expect(await query(url, 'SELECT key FROM loyalty.tags')).toEqual([{ key: 'gold' }]);
  expect(await query(url, COUNT)).toMatchObject([{ members: 1_000, tagged: 0 }]);
  await stop();
});
