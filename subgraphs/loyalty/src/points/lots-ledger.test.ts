import { expect, test } from '@jest/globals';
import { defaultLimits, systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { createContext } from '@loyalty/platform/database/create-context';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { startBulkAward } from '../bulk-awards/bulk-awards.service.ts';
import { runBulkAward } from '../bulk-awards/run-bulk-award.service.ts';
import { given } from '../loyalty.fixture.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { bookEarning, bookReversal, spendPoints } from './booking.service.ts';
import { expirePoints, releasePoints } from './due-lots.service.ts';
import { adjustPoints, awardPoints } from './points.service.ts';
import { reversePoints } from './reversals.service.ts';

const { services, ctx, fresh } = useServices({
  caller: { limits: { ...defaultLimits, valueWritesPerMinute: 1_000_000 } },
  isWorkspaceShared: true,
});

/**
 * Selects members with an inconsistent ledger: the balance must be the sum and the end of an unbroken chain
 * that never falls below zero, tiers must follow from the entries, lots must contain at most the earned
 * points and the balance, every entry must be published once, and pending points must not be in the ledger.
 */
const FAULTS = `
WITH chain AS (
  SELECT member_id, sequence, amount, earned, balance_after,
         lag(balance_after, 1, 0) OVER w AS balance_before, row_number() OVER w AS place
    FROM loyalty.points_entries WINDOW w AS (PARTITION BY member_id ORDER BY sequence)
), sums AS (
  SELECT member_id, count(*) AS entries, sum(amount) AS balance,
         bool_and(balance_after = balance_before + amount AND sequence = place AND balance_after >= 0) AS
           is_chain
    FROM chain GROUP BY member_id
), lots AS (
  SELECT member_id, sum(remaining) FILTER (WHERE available_at IS NULL) AS remaining,
         bool_and(remaining BETWEEN 0 AND amount) AS is_within,
         bool_or(available_at IS NOT NULL AND EXISTS (SELECT 1 FROM loyalty.points_entries AS e
           WHERE e.id = l.id)) AS is_early
    FROM loyalty.point_lots AS l GROUP BY member_id
), published AS (
  SELECT (payload->>'memberId')::uuid AS member_id, count(*) AS times,
         count(DISTINCT payload->>'transactionId') AS entries, sum((payload->>'amount')::int) AS amount
    FROM platform.outbox WHERE type LIKE 'loyalty.points_%' GROUP BY 1
)
SELECT m.id, m.points_balance, m.points_sequence, s.*, l.*, t.*
  FROM loyalty.members AS m
  LEFT JOIN sums AS s ON s.member_id = m.id
  LEFT JOIN lots AS l ON l.member_id = m.id
  LEFT JOIN published AS t ON t.member_id = m.id
 WHERE m.points_balance <> coalesce(s.balance, 0) OR m.points_balance < 0 OR s.is_chain IS FALSE
    OR m.points_sequence <> coalesce(s.entries, 0) OR m.points_earned < 0
    OR coalesce(l.remaining, 0) > m.points_balance OR l.is_within IS FALSE OR l.is_early IS TRUE
    OR coalesce(t.times, 0) <> coalesce(s.entries, 0) OR coalesce(t.entries, 0) <> coalesce(s.entries, 0)
    OR coalesce(t.amount, 0) <> coalesce(s.balance, 0)`;

const act = fc.constantFrom(
  'AWARD',
  'EARN',
  'SPEND',
  'ADJUST',
  'REFUND',
  'REVERSE',
  'EXPIRE',
  'RELEASE',
  'BULK',
);
const step = fc.record({ act, member: fc.nat(3), points: fc.integer({ min: 1, max: 200 }) });
/** Steps of one round run concurrently; then the programme may change and days pass. */
const round = fc.record({
  steps: fc.array(step, { minLength: 15, maxLength: 25 }),
  days: fc.constantFrom(0, 3, 5, 10),
  expireAfter: fc.constantFrom(null, 5, 10),
  pending: fc.constantFrom(null, 3),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let sources = 0;
const REFUSALS = ['INSUFFICIENT_POINTS', 'ALREADY_REVERSED', 'NOT_REVERSIBLE', 'TRANSACTION_NOT_FOUND'];

async function take(
  members: readonly string[],
  awarded: string[],
  { act, member, points }: Step,
): Promise<void> {
  const own = fresh();
  const product = createContext(services, { caller: systemCaller('test', ctx.scope), requestId: 'test' });
  const memberId = members[member]!;
  sources += 1;
  const booking = { memberId, points, description: 'property', source: `test:${sources}` };
  const acts: Record<Step['act'], () => Promise<unknown>> = {
    AWARD: async () => awarded.push((await awardPoints(own, memberId, { amount: points })).id),
    EARN: async () => awarded.push((await bookEarning(own, booking))!.id),
    SPEND: () => own.transaction((tx) => spendPoints(tx, booking)),
    ADJUST: () => adjustPoints(own, memberId, points % 2 ? points : -points, 'property'),
    REFUND: () => bookReversal(own, booking),
    REVERSE: async () => {
      const id = awarded[points % (awarded.length || 1)];
      if (id) await reversePoints(own, id, 'property');
    },
    EXPIRE: () => expirePoints(product, 2),
    RELEASE: () => releasePoints(product, 2),
    BULK: async () => {
      const { id } = await startBulkAward(own, {
        amount: points,
        description: 'property',
        memberIds: members,
      });
      await Promise.all([runBulkAward(product, id, 2), runBulkAward(product, id, 3)]);
    },
  };
  await acts[act]();
}

test('whatever is awarded, spent, reversed, released and expired at once, every ledger stays whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 6 }), async (rounds) => {
      const members = await Promise.all(Array.from({ length: 4 }, async () => (await given.member(ctx)).id));
      const awarded: string[] = [];
      for (const { steps, days, expireAfter, pending } of rounds) {
        await updateProgram(fresh(), {
          pointsExpireAfterDays: expireAfter,
          pointsPendingDays: pending,
        });
        const results = await Promise.allSettled(steps.map((one) => take(members, awarded, one)));
        const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
        expect(reasons.filter(({ code }) => !REFUSALS.includes(code))).toEqual([]);
        expect(await ctx.sql.query(FAULTS)).toEqual([]);
        services.clock.advance(days * DAY_MS);
      }
      // After everything that can expire has expired, only points without a lot are left.
      services.clock.advance(30 * DAY_MS);
      await take(members, awarded, { act: 'RELEASE', member: 0, points: 1 });
      services.clock.advance(30 * DAY_MS);
      await take(members, awarded, { act: 'EXPIRE', member: 0, points: 1 });
      expect(await ctx.sql.query(FAULTS)).toEqual([]);
      expect(await ctx.sql.query('SELECT id FROM loyalty.point_lots WHERE remaining > 0')).toEqual([]);
    }),
    { numRuns: 12 },
  );
}, 180_000);
