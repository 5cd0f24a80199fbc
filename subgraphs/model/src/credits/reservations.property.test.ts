import { beforeAll, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { createDatabase, type Database } from '@loyalty/prisma/client';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import {
  expireReservations,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from './reservations.service.ts';
import { checkLedger } from './wallet.fixture.ts';
import { openWallet } from './wallet.service.ts';

const { services, newContext, beforeClose } = useServices();
let killer: Database;
beforeAll(() => {
  killer = createDatabase({ url: services.url, poolSize: 1, applicationName: 'killer' });
});
beforeClose(() => killer.close());

type Act =
  | { kind: 'reserve'; amount: number }
  | { kind: 'settle' | 'settleTwice'; which: number; share: number }
  | { kind: 'release'; which: number }
  | { kind: 'reread' }
  | { kind: 'expire'; minutes: number }
  | { kind: 'kill' };

const which = fc.nat(1_000);
const share = fc.nat(100);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('reserve' as const), amount: fc.integer({ min: 1, max: 900 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reserve' as const),
      amount: fc.integer({ min: 1, max: 30_000 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('settle' as const, 'settleTwice' as const), which, share }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('release' as const), which }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reread' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('expire' as const), minutes: fc.integer({ min: 0, max: 20 }) }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'kill' as const }) },
);

/** Counts of one run, so that the test can show that it tested something. */
const seen = { acts: 0, booked: 0, refused: 0, cut: 0 };
const held: { id: string; amount: number }[] = [];

async function perform(ctx: Context, step: Act): Promise<unknown> {
  seen.acts += 1;
  switch (step.kind) {
    case 'reserve': {
      const id = await reserveCredits(ctx, { amount: BigInt(step.amount), purpose: 'Score' });
      return held.push({ id, amount: step.amount });
    }
    case 'settle':
    case 'settleTwice': {
      const reservation = held[step.which % held.length];
      if (!reservation) return null;
      const actual = BigInt(Math.floor((reservation.amount * step.share) / 100));
      const times = step.kind === 'settle' ? 1 : 2;
      return Promise.all(Array.from({ length: times }, () => settleReservation(ctx, reservation.id, actual)));
    }
    case 'release': {
      const reservation = held[step.which % held.length];
      return reservation ? releaseReservation(ctx, reservation.id) : null;
    }
    case 'reread':
      return openWallet(ctx, ctx.scope.workspaceId);
    case 'expire':
      services.clock.advance(step.minutes * MINUTE_MS);
      return expireReservations(ctx);
    case 'kill':
      return cutConnections();
  }
}

/** Cuts connections of the pool, preferring those in the middle of a statement. */
async function cutConnections(): Promise<void> {
  const [row] = await killer.sql.query<{ cut: number }>(
    `SELECT count(pg_terminate_backend(pid))::int AS cut FROM (
       SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'loyalty'
        ORDER BY (state = 'active') DESC, random() LIMIT 3) AS victims`,
  );
  seen.cut += row!.cut;
}

/** Ignores refusals and lost connections; any other error is a bug. */
function forgive(error: unknown): void {
  if (error instanceof AppError) {
    seen.refused += 1;
    return;
  }
  const { code, message } = error as Error & { code?: string };
  if (['57P01', 'ECONNRESET', '08006'].includes(code ?? '') || message.startsWith('Connection terminated'))
    return;
  throw error;
}

async function play(ctx: Context, steps: readonly Act[], hands: number): Promise<void> {
  const rest = [...steps];
  const hand = async () => {
    for (let step = rest.pop(); step; step = rest.pop()) await perform(ctx, step).catch(forgive);
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

/** Retries: the pool may still have idle connections that were cut; each fails once. */
async function expireAtLast(ctx: Context): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt += 1) await expireReservations(ctx).catch(forgive);
}

/** Uses the connection that is never cut. */
async function checkInvariants(ctx: Context): Promise<void> {
  const { trialUsed, used, entries } = await checkLedger(killer.sql, ctx.scope.workspaceId);
  expect(trialUsed).toBe(used);
  seen.booked += Number(entries) - 1;
}

test('thousands of acts at once, with connections cut in the middle, leave wallet, ledger and reservations agreeing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 300, maxLength: 500 }), async (steps) => {
      held.length = 0;
      const ctx = newContext();
      await openWallet(ctx, ctx.scope.workspaceId);
      await play(ctx, steps, 8);
      await checkInvariants(ctx);
      services.clock.advance(15 * MINUTE_MS);
      await expireAtLast(ctx);
      await checkInvariants(ctx);
      const left = await killer.sql.query(
        'SELECT FROM model.wallets WHERE workspace_id = $1 AND reserved <> 0',
        [ctx.scope.workspaceId],
      );
      expect(left).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect(seen.acts).toBeGreaterThan(4_000);
  for (const count of [seen.booked, seen.refused, seen.cut]) expect(count).toBeGreaterThan(100);
});
