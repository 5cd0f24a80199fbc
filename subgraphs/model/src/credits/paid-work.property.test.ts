import { beforeAll, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { createServices } from '@loyalty/platform/services';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { paidWork } from './paid-work.service.ts';
import { expireReservations, releaseReservation, reserveCredits } from './reservations.service.ts';
import { checkLedger } from './wallet.fixture.ts';
import { openWallet } from './wallet.service.ts';

const CALLERS = 50;

const { services, beforeClose } = useServices();
/** The services of another process: the same database, but its own connections and batches. */
let elsewhere: Services & { close(): Promise<void> };
beforeAll(async () => {
  const config = { ...services.config, DATABASE_URL: services.url };
  elsewhere = await createServices(config, 'elsewhere', { clock: services.clock });
});
beforeClose(() => elsewhere.close());

const ways = [
  'settle',
  'settleInTransaction',
  'failBefore',
  'failAfter',
  'rollBack',
  'withinTransaction',
  'lostTransaction',
] as const;

/** A piece of work with its result, or another change of the wallet. */
type Act =
  | {
      kind: (typeof ways)[number];
      most: number;
      share: number;
    }
  | { kind: 'release' | 'abandon' | 'deposit'; most: number }
  | { kind: 'plan'; plan: 'PAID' | 'PAUSED' }
  | { kind: 'expire'; minutes: number };

const most = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 300 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 60_000 }) },
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constantFrom(...ways),
      most,
      share: fc.nat(100),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constantFrom('release' as const, 'abandon' as const), most }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deposit' as const), most }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('plan' as const),
      plan: fc.constantFrom('PAID' as const, 'PAID' as const, 'PAUSED' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('expire' as const), minutes: fc.integer({ min: 0, max: 16 }) }),
  },
);

const purpose = 'Score';
const onPurpose = new Error('on purpose');
/** Counts over all runs, so that the test can show that it tested something. */
const seen = { booked: 0, checked: 0, failed: 0, refused: new Map<string, number>() };

/** Returns the credits that the caller was charged, according to its answer. */
async function perform(ctx: Context, step: Act): Promise<number> {
  switch (step.kind) {
    case 'release':
      await releaseReservation(ctx, await reserveCredits(ctx, { amount: BigInt(step.most), purpose }));
      return 0;
    case 'abandon':
      await reserveCredits(ctx, { amount: BigInt(step.most), purpose });
      return 0;
    case 'deposit':
      return deposit(ctx, BigInt(step.most));
    case 'plan':
      await ctx.sql.query('UPDATE model.wallets SET plan = $2::model."WalletPlan" WHERE workspace_id = $1', [
        ctx.scope.workspaceId,
        step.plan,
      ]);
      return 0;
    case 'expire':
      services.clock.advance(step.minutes * MINUTE_MS);
      await expireReservations(ctx);
      return 0;
    default:
      return work(ctx, step);
  }
}

async function work(ctx: Context, step: Extract<Act, { share: number }>): Promise<number> {
  const used = Math.floor((step.most * step.share) / 100);
  if (step.kind === 'withinTransaction' || step.kind === 'lostTransaction') {
    return workWithin(ctx, step.most, used, step.kind === 'lostTransaction');
  }
  let booked = 0;
  const working = paidWork(ctx, { maximum: step.most, purpose }, async (settle) => {
    if (step.kind === 'failBefore') throw onPurpose;
    if (step.kind === 'settle' || step.kind === 'failAfter') booked = await settle(ctx, used);
    if (step.kind === 'failAfter') throw onPurpose;
    if (step.kind === 'settleInTransaction') booked = await ctx.transaction((tx) => settle(tx, used));
    if (step.kind === 'rollBack') {
      await ctx.transaction(async (tx) => {
        await settle(tx, used);
        throw onPurpose;
      });
    }
  });
  await working.catch((error: unknown) => {
    if (error !== onPurpose) throw error;
    seen.failed += 1;
  });
  return booked;
}

/** Works like a mutation with an idempotency key: all of it in one transaction. */
async function workWithin(ctx: Context, maximum: number, used: number, isLost: boolean): Promise<number> {
  const working = ctx.transaction(async (tx) => {
    const booked = await paidWork(tx, { maximum, purpose }, (settle) => settle(tx, used));
    if (isLost) throw onPurpose;
    return booked;
  });
  return working.catch((error: unknown) => {
    if (error !== onPurpose) throw error;
    seen.failed += 1;
    return 0;
  });
}

/** Books a deposit like the ledger does: wallet and both lines in one statement. */
async function deposit(ctx: Context, amount: bigint): Promise<number> {
  const ids = [newId(ctx.clock), newId(ctx.clock), newId(ctx.clock)];
  await ctx.sql.query(
    `WITH wallet AS (
       UPDATE model.wallets SET balance = balance + $2::int8, sequence = sequence + 1 WHERE workspace_id = $1
       RETURNING balance, sequence
     )
     INSERT INTO model.credit_entries
       (id, workspace_id, transaction_id, kind, account, amount, balance_after, sequence, description,
        reference, created_at)
     SELECT line.id, $1, $5::uuid, 'DEPOSIT', line.account::model."CreditAccount", line.amount,
            CASE line.account WHEN 'WALLET' THEN balance END, sequence, 'Deposit', $5::uuid::text, now()
       FROM wallet
      CROSS JOIN (VALUES ($3::uuid, 'WALLET', $2), ($4::uuid, 'DEPOSIT', -$2)) AS line (id, account, amount)`,
    [ctx.scope.workspaceId, amount, ...ids],
  );
  return 0;
}

/** A refusal charges nothing; any other error is a bug. */
function refused(error: unknown): number {
  if (!(error instanceof AppError)) throw error;
  seen.refused.set(error.code, (seen.refused.get(error.code) ?? 0) + 1);
  return 0;
}

/** Runs the acts one after the other for callers of two processes; the ledger is checked all the time. */
async function play(steps: readonly Act[]): Promise<void> {
  const caller = callerOf();
  const workspaceId = caller.workspaceId!;
  await openWallet(contextOf(services, caller), workspaceId);
  // First, and alone, a request for more than the trial has: the plan changes soon, and does not change back.
  await perform(contextOf(services, caller), { kind: 'abandon', most: 50_001 }).catch(refused);
  const rest = [...steps];
  let charged = 0;
  const calling = Array.from({ length: CALLERS }, async (_, number) => {
    for (let step = rest.pop(); step; step = rest.pop()) {
      const ctx = contextOf(number % 2 === 0 ? services : elsewhere, caller);
      const credits = await perform(ctx, step).catch(refused);
      charged += credits;
    }
  });
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; seen.checked += 1) await checkLedger(services.database.outsideTransaction, workspaceId);
  })();
  await Promise.all(calling).finally(() => {
    isOver = true;
  });
  await watching;
  services.clock.advance(15 * MINUTE_MS);
  await expireReservations(contextOf(services, caller));
  const totals = await checkLedger(services.database.outsideTransaction, workspaceId);
  expect(totals).toMatchObject({ reserved: 0n, used: BigInt(charged) });
  seen.booked += Number(totals.entries);
}

test('fifty callers of two processes leave every credit accounted for, and get to know what they were charged', async () => {
  await fc.assert(fc.asyncProperty(fc.array(act, { minLength: 400, maxLength: 600 }), play), {
    numRuns: 6,
  });
  const codes = [...seen.refused.keys()];
  const three = ['INSUFFICIENT_CREDITS', 'SUBSCRIPTION_REQUIRED', 'TRIAL_CREDITS_EXHAUSTED'];
  expect(codes).toEqual(expect.arrayContaining(three));
  for (const count of [seen.booked, seen.failed, seen.checked]) expect(count).toBeGreaterThan(100);
});
