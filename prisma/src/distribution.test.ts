import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { distributionStatements, referenceTables } from './distribution.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let statements: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  statements = await distributionStatements(database.url);
});
afterAll(() => database?.drop());

const placeOf = (table: string): number => statements.findIndex((each) => each.includes(`('${table}'`));

test('every table is named once: reference tables first, then the others beside one of them', () => {
  const expected =
    /^SELECT create_(?:reference|distributed)_table\('(\w+\.\w+)'(?:, 'workspace_id', colocate_with => '([\w.]+)')?\);$/;
  const named = statements.map((each) => expected.exec(each) ?? []);
  expect(
    named
      .slice(0, referenceTables.size)
      .map(([, table]) => table)
      .sort(),
  ).toEqual([...referenceTables.keys()]);
  const [first, ...others] = named.slice(referenceTables.size);
  expect(first?.slice(1)).toEqual(['loyalty.tiers', 'none']);
  expect(new Set(others.map(([, , beside]) => beside))).toEqual(new Set(['loyalty.tiers']));
  expect(new Set(named.map(([, table]) => table)).size).toBe(statements.length);
  expect(placeOf('model.order_facts')).toBeGreaterThan(0);
});

test('a table comes after those that it refers to', () => {
  expect(placeOf('workspace.memberships')).toBeGreaterThan(placeOf('workspace.accounts'));
  expect(placeOf('loyalty.members')).toBeGreaterThan(placeOf('loyalty.tiers'));
  expect(placeOf('loyalty.referrals')).toBeGreaterThan(placeOf('loyalty.ambassador_codes'));
  expect(placeOf('loyalty.referred_orders')).toBeGreaterThan(placeOf('loyalty.referrals'));
});
