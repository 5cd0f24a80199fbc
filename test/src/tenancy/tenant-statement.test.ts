import { expect, test } from '@jest/globals';
import { breachesIn } from './tenant-statement.ts';

const tables = new Set(['loyalty.members', 'loyalty.tags', 'loyalty.tiers']);

test.each([
  'SELECT id FROM loyalty.members WHERE workspace_id = $1',
  'SELECT 1',
  'SELECT id FROM workspace.accounts WHERE email_index = $1',
  'SELECT m.id FROM loyalty.members m WHERE m.id = $3 AND (m.workspace_id = $1 AND m.mode = $2::platform."Mode")',
  'SELECT id FROM loyalty.members WHERE (workspace_id, id) = ($1, $2)',
  'SELECT id FROM loyalty.members WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM loyalty.tags WHERE workspace_id = $1)',
  'SELECT m.id FROM loyalty.members m JOIN loyalty.tiers t USING (workspace_id) WHERE m.workspace_id = $1',
  'SELECT m.id FROM loyalty.members m LEFT JOIN loyalty.tiers t ON t.workspace_id = m.workspace_id AND t.id = m.tier WHERE m.workspace_id = $1',
  'SELECT m.id FROM loyalty.members m, loyalty.tiers t WHERE m.workspace_id = $1 AND t.workspace_id = $1',
  'SELECT id FROM loyalty.members m JOIN unnest($1::uuid[], $2::uuid[]) AS k(workspace_id, id) USING (workspace_id, id)',
  'WITH due AS (SELECT * FROM loyalty.tags WHERE workspace_id = $1) SELECT m.id FROM loyalty.members m JOIN due USING (workspace_id)',
  'SELECT EXISTS (SELECT FROM loyalty.tags g WHERE g.workspace_id = m.workspace_id) FROM loyalty.members m WHERE m.workspace_id = $1',
  'INSERT INTO loyalty.tags (workspace_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  'INSERT INTO loyalty.tags (workspace_id, id) SELECT workspace_id, id FROM loyalty.members WHERE workspace_id = $1',
  'UPDATE loyalty.members m SET tier = t.id FROM loyalty.tiers t WHERE m.workspace_id = $1 AND t.workspace_id = m.workspace_id',
  'DELETE FROM loyalty.members USING loyalty.tags t WHERE members.workspace_id = $1 AND t.workspace_id = $1',
  'COPY loyalty.tags (id, workspace_id) FROM STDIN',
  'WITH RECURSIVE tree AS (SELECT workspace_id, id FROM loyalty.tags WHERE workspace_id = $1 UNION ALL SELECT t.workspace_id, t.id FROM loyalty.tags t JOIN tree USING (workspace_id)) SELECT id FROM tree',
  '/* every workspace */ DELETE FROM loyalty.members WHERE erase_after < now()',
])('%s is of one workspace', async (statement) => expect(await breachesIn(statement, tables)).toEqual([]));

test.each([
  'SELECT id FROM loyalty.members WHERE id = $1',
  'SELECT id FROM loyalty.members WHERE workspace_id = $1 OR id = $2',
  'SELECT id FROM loyalty.members WHERE workspace_id <> $1',
  'SELECT id FROM loyalty.members WHERE workspace_id = id',
  'SELECT m.id FROM loyalty.members m JOIN loyalty.tiers t ON t.id = m.tier WHERE m.workspace_id = $1',
  'SELECT m.id FROM loyalty.members m, loyalty.tiers t WHERE m.workspace_id = $1 AND t.workspace_id = $2',
  'SELECT m.id FROM loyalty.members m JOIN loyalty.tiers t USING (workspace_id)',
  'SELECT EXISTS (SELECT FROM loyalty.tags g WHERE g.id = m.id) FROM loyalty.members m WHERE m.workspace_id = $1',
  'WITH due AS (SELECT * FROM loyalty.tags) SELECT m.id FROM loyalty.members m JOIN due USING (workspace_id)',
  'SELECT id FROM loyalty.members WHERE workspace_id = $1 UNION ALL SELECT id FROM loyalty.tags',
  'INSERT INTO loyalty.tags (id) VALUES ($1)',
  'COPY loyalty.tags (id) FROM STDIN',
  'COPY (SELECT id FROM loyalty.tags) TO STDOUT',
  'EXPLAIN SELECT id FROM loyalty.tags',
  'SELECT m.id FROM loyalty.members m JOIN workspace.accounts a ON a.workspace_id = m.workspace_id',
  'INSERT INTO loyalty.tags (workspace_id, id) SELECT $1, id FROM loyalty.members',
  'UPDATE loyalty.members SET tier = $2 WHERE id = $1',
  'DELETE FROM loyalty.members m USING loyalty.tags t WHERE m.workspace_id = $1 AND t.id = m.id',
  '/* every workspace */ DELETE FROM loyalty.members WHERE workspace_id = $1',
  '/* every workspace */ DELETE FROM loyalty.members m USING loyalty.tags t WHERE t.id = m.id',
])('%s is not of one workspace', async (statement) =>
  expect(await breachesIn(statement, tables)).not.toEqual([]),
);
