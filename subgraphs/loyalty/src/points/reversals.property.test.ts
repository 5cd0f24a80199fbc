import { expect, test } from '@jest/globals';
import { defaultLimits } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { ask, given } from '../loyalty.fixture.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { bookEarning, bookReversal, spendPoints } from './booking.service.ts';
import { expirePoints, releasePoints } from './due-lots.service.ts';
import {
  advance,
  earnedWithin,
  give,
  type LedgerModel,
  newLedger,
  refund,
  reverse,
  spend,
} from './ledger-model.fixture.ts';
import { awardPoints } from './points.service.ts';
import { reversePoints } from './reversals.service.ts';

const { services } = useServices();

const PERIOD_DAYS = 10;
const READ = `query ($id: ID!) { member(id: $id) { pointsBalance pointsEarned
  tierProgress { pointsEarnedInPeriod } } }`;

/** Selects entries of which reversals took more than they gave, or more than their unexpired part. */
const OVERDRAWN = `
SELECT e.id FROM loyalty.points_entries AS e
  JOIN loyalty.points_entries AS r
    ON r.workspace_id = e.workspace_id AND r.mode = e.mode AND r.reverses_id = e.id
  LEFT JOIN loyalty.point_lots AS l ON l.workspace_id = e.workspace_id AND l.mode = e.mode AND l.id = e.id
 WHERE e.workspace_id = $1
 GROUP BY e.id, e.amount, l.expired
HAVING -sum(r.amount) > e.amount - coalesce(l.expired, 0) OR -sum(r.earned) > e.amount`;

const step = fc.record({
  act: fc.constantFrom('AWARD', 'ORDER', 'SPEND', 'REFUND', 'REVERSE', 'DAYS'),
  points: fc.integer({ min: 1, max: 100 }),
  pick: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const programme = fc.record({ pending: fc.constantFrom(null, 2), expire: fc.constantFrom(null, 4) });

/** One member's ledger, changed in the same way by the services and by the model. */
interface Both {
  readonly ctx: Context;
  readonly memberId: string;
  readonly model: LedgerModel;
  /** Ids of the entries that gave points, in the model's order. */
  readonly ids: string[];
}

const own = ({ ctx }: Both) => contextOf(services, ctx.caller);
let booked = 0;
const booking = ({ memberId }: Both, points: number) => {
  booked += 1;
  return { memberId, points, description: 'property', source: `test:${booked}` };
};
const orderOf = ({ memberId }: Both, place: number): string => `order:${place}:${memberId}`;

function refused(error: unknown): null {
  if (error instanceof AppError && ['CONFLICT', 'NOT_FOUND'].includes(error.category)) return null;
  throw error;
}

const acts: Readonly<Record<Step['act'], (both: Both, step: Step) => Promise<void>>> = {
  async AWARD(both, { points }) {
    both.ids.push((await awardPoints(own(both), both.memberId, { amount: points })).id);
    give(both.model, points, false);
  },
  async ORDER(both, { points }) {
    const source = orderOf(both, both.ids.length);
    both.ids.push((await bookEarning(own(both), { ...booking(both, points), source }))!.id);
    give(both.model, points, true);
  },
  async SPEND(both, { points }) {
    const spent = await own(both)
      .transaction((tx) => spendPoints(tx, booking(both, points)))
      .catch(refused);
    expect(spent !== null).toBe(spend(both.model, points));
  },
  async REFUND(both, { points, pick }) {
    const orders = both.model.awards.filter(({ isOrder }) => isOrder);
    const order = orders[pick % orders.length];
    if (!order) return;
    const of = orderOf(both, order.place);
    const entry = await bookReversal(own(both), { ...booking(both, points), of });
    expect(entry?.amount ?? null).toBe(refund(both.model, order, points));
  },
  async REVERSE(both, { pick }) {
    const award = both.model.awards[pick % both.ids.length];
    if (!award) return;
    const entry = await reversePoints(own(both), both.ids[award.place]!, 'property').catch(refused);
    expect(entry?.amount ?? null).toBe(reverse(both.model, award));
  },
  async DAYS(both, { pick }) {
    services.clock.advance((pick % 5) * DAY_MS);
    await releasePoints(own(both));
    await expirePoints(own(both));
    advance(both.model, pick % 5);
  },
};

test('awards, spending, expiry, refunds and reversals add up as a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(programme, fc.array(step, { minLength: 10, maxLength: 40 }), async (rules, steps) => {
      const limits = { ...defaultLimits, valueWritesPerMinute: 1_000_000 };
      const ctx = contextOf(services, { ...callerOf(), limits });
      await updateProgram(ctx, {
        ...{ pointsPendingDays: rules.pending, pointsExpireAfterDays: rules.expire },
        ...{ tierBasis: 'ROLLING', tierPeriodDays: PERIOD_DAYS },
      });
      const model = newLedger(rules);
      const both = { ctx, memberId: (await given.member(ctx)).id, model, ids: [] };
      for (const one of steps) {
        await acts[one.act](both, one);
        const { member } = await ask(own(both), READ, { id: both.memberId });
        expect(member).toEqual({
          pointsBalance: model.balance,
          pointsEarned: model.earned,
          tierProgress: { pointsEarnedInPeriod: earnedWithin(model, PERIOD_DAYS) },
        });
      }
      expect(await ctx.sql.query(OVERDRAWN, [ctx.scope.workspaceId])).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 240_000);
