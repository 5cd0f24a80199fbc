import { beforeAll, expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { createDatabase } from '@loyalty/prisma/client';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { given } from '../loyalty.fixture.ts';
import { adjustPoints, awardPoints } from './points.service.ts';

const { services, ctx, fresh } = useServices({
  caller: { limits: { ...defaultLimits, valueWritesPerMinute: 1_000_000 } },
  isWorkspaceShared: true,
});

beforeAll(() => given.tiers(ctx, { Bronze: 100, Silver: 1_000, Gold: 5_000 }));

/** Invariants of every ledger: balance, chain of entries, sequence, tier and published tiers. */
const FAULTS = `
WITH chain AS (
  SELECT member_id, sequence, amount, balance_after,
         lag(balance_after, 1, 0) OVER w AS balance_before, row_number() OVER w AS place
    FROM loyalty.points_entries WINDOW w AS (PARTITION BY member_id ORDER BY sequence)
), sums AS (
  SELECT member_id, count(*) AS entries, sum(amount) AS balance, sum(greatest(amount, 0)) AS earned,
         bool_and(balance_after = balance_before + amount AND sequence = place
           AND balance_after >= 0) AS is_chain
    FROM chain GROUP BY member_id
), published AS (
  SELECT payload->>'memberId' AS member_id, count(*) AS times, count(DISTINCT payload->>'tierId') AS tiers
    FROM platform.outbox WHERE type = 'loyalty.tier_upgraded' GROUP BY 1
), awarded AS (
  SELECT count(*) FILTER (WHERE type IN ('loyalty.points_awarded', 'loyalty.points_adjusted')) AS times
    FROM platform.outbox
)
SELECT m.id, m.points_balance, m.points_earned, m.points_sequence, s.*, t.*
  FROM loyalty.members AS m
  LEFT JOIN sums AS s ON s.member_id = m.id
  LEFT JOIN published AS t ON t.member_id = m.id::text
  LEFT JOIN loyalty.tiers AS c ON c.id = m.current_tier_id
 WHERE m.points_balance <> coalesce(s.balance, 0) OR m.points_earned <> coalesce(s.earned, 0)
    OR m.points_sequence <> coalesce(s.entries, 0) OR s.is_chain IS FALSE OR t.times <> t.tiers
    OR coalesce(c.rank, 0) <> coalesce((SELECT max(rank) FROM loyalty.tiers
      WHERE upgrade_threshold <= m.points_earned), 0)
    OR (SELECT times FROM awarded) <> (SELECT count(*) FROM loyalty.points_entries)`;

const operation = fc.record({
  member: fc.nat(4),
  amount: fc.oneof(
    fc.integer({ min: 1, max: 400 }),
    fc.integer({ min: -400, max: 400 }).filter((amount) => amount !== 0),
  ),
});

function run(members: readonly string[], { member, amount }: { member: number; amount: number }) {
  const own = fresh();
  const id = members[member]!;
  return amount > 0 && amount % 2
    ? awardPoints(own, id, { amount })
    : adjustPoints(own, id, amount, 'property');
}

const fiveMembers = () => Promise.all(Array.from({ length: 5 }, async () => (await given.member(ctx)).id));

test('thousands of concurrent awards and corrections keep every ledger whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 250, maxLength: 250 }), async (operations) => {
      const members = await fiveMembers();
      const results = await Promise.allSettled(operations.map((step) => run(members, step)));
      const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
      expect(codes.filter((code) => code !== 'INSUFFICIENT_POINTS')).toEqual([]);
      expect(await ctx.sql.query(FAULTS)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test('two hundred concurrent awards leave the balance equal to their sum', async () => {
  const { id } = await given.member(ctx);
  await Promise.all(Array.from({ length: 200 }, () => awardPoints(fresh(), id, { amount: 7 })));
  const [row] = await ctx.sql.query(
    'SELECT points_balance, points_sequence FROM loyalty.members WHERE id = $1',
    [id],
  );
  expect(row).toEqual({ pointsBalance: 1_400, pointsSequence: 200 });
});

test('connections killed at any moment leave every ledger whole', async () => {
  const members = await fiveMembers();
  const killer = createKiller();
  let done = 0;
  let failed = 0;
  const work = Array.from({ length: 8 }, async (_, lane) => {
    for (let i = 0; i < 150; i += 1) {
      await run(members, { member: (lane + i) % 5, amount: 1 + ((lane * 37 + i * 13) % 99) }).then(
        () => (done += 1),
        () => (failed += 1),
      );
    }
  });
  const killing = killer.until(Promise.all(work));
  await Promise.all(work);
  expect(await killing).toBeGreaterThan(0);
  const faults = await killer.sql.query(FAULTS);
  await killer.close();
  expect(done).toBeGreaterThan(0);
  expect(failed).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

/** Creates a pool that ends random connections of the services' pool. */
function createKiller() {
  const database = createDatabase({ url: services.url, poolSize: 1, applicationName: 'killer' });
  return {
    sql: database.sql,
    close: () => database.close(),
    async until(work: Promise<unknown>): Promise<number> {
      let kills = 0;
      let isOver = false;
      void work.finally(() => (isOver = true));
      while (!isOver) {
        const killed = await database.sql.query(
          `SELECT pg_terminate_backend(pid) FROM (
             SELECT pid FROM pg_stat_activity
              WHERE datname = current_database() AND application_name = 'loyalty' AND query ILIKE '%points%'
              ORDER BY random() LIMIT 1) AS victim, pg_sleep(0.02)`,
        );
        kills += killed.length;
      }
      return kills;
    },
  };
}
