import { expect, test } from '@jest/globals';
import { describeStatement } from './statement-spans.ts';

test.each([
  ['SELECT * FROM loyalty.members WHERE email = $1', 'SELECT loyalty.members'],
  ['SELECT "loyalty"."members"."id" FROM "loyalty"."members" WHERE 1=1', 'SELECT loyalty.members'],
  [
    '/* every workspace */ WITH a AS (SELECT 1 FROM a.b) UPDATE platform.outbox AS e SET x = 1',
    'UPDATE platform.outbox',
  ],
  ['WITH gone AS (DELETE FROM commerce.orders RETURNING 1) SELECT 1 FROM gone', 'DELETE commerce.orders'],
  ['INSERT INTO platform.outbox (id) SELECT 1 FROM loyalty.members', 'INSERT platform.outbox'],
  ['COPY model.fact_ids (id) FROM STDIN', 'COPY model.fact_ids'],
  ["SELECT 'ada@example.com' FROM unnest($1::text[])", 'SELECT'],
  ['VACUUM', 'STATEMENT'],
])('of %j only the operation and one of our tables are shown', (text, summary) => {
  expect(describeStatement(text)).toMatchObject({ 'db.query.summary': summary });
  expect(JSON.stringify(describeStatement(text))).not.toMatch(/ada@|email/);
});
