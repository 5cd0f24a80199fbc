import { beforeAll, expect, test } from '@jest/globals';
import { anonymous, systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context, Services } from '@loyalty/platform/context';
import { createDatabase, type Database } from '@loyalty/prisma/client';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { receivePaymentEvent } from './deposits.service.ts';
import { COMPLETED, type Payments, signedEvent, startPayments } from './payments.fixture.ts';
import { acceptServiceQuote, offerServiceQuote } from './service-quotes.service.ts';
import { quoting, spend } from './subscriptions.fixture.ts';
import { activatePaidService, deactivatePaidService, renewSubscriptions } from './subscriptions.service.ts';
import { expectSoundLedger } from './wallet.fixture.ts';

const FEE = 5_000;
const PAYMENTS = 4;
const QUOTES = 4;

const { services, beforeClose } = useServices();
let payments: Payments;
let charging: Services;
let killer: Database;
beforeAll(async () => {
  payments = await startPayments(services);
  charging = quoting(payments.withStripe, FEE);
  killer = createDatabase({ url: services.url, poolSize: 1, applicationName: 'killer' });
});
beforeClose(async () => {
  await killer.close();
  await payments.close();
});

type Act =
  | { readonly kind: 'activate' | 'deactivate' | 'renew' | 'kill' }
  | { readonly kind: 'pay' | 'accept'; readonly which: number }
  | { readonly kind: 'spend'; readonly amount: number };

const plain = (kind: 'activate' | 'deactivate' | 'renew' | 'kill') => fc.constant<Act>({ kind });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: plain('activate') },
  { weight: 1, arbitrary: plain('deactivate') },
  { weight: 3, arbitrary: plain('renew') },
  { weight: 1, arbitrary: plain('kill') },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), which: fc.nat(PAYMENTS - 1) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('accept' as const), which: fc.nat(QUOTES - 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('spend' as const), amount: fc.integer({ min: 1, max: 400 }) }),
  },
);

interface Workspace {
  readonly ctx: () => Context;
  readonly sessions: readonly Readonly<Record<string, unknown>>[];
  readonly quotes: readonly string[];
}

/** Creates a workspace with pending deposits and open quotes. */
async function prepare(): Promise<Workspace> {
  const { ctx, session } = await payments.pending(100);
  const caller = ctx().caller;
  const others = Array.from({ length: PAYMENTS - 1 }, () => payments.pending(100, caller));
  const sessions = [session, ...(await Promise.all(others)).map((pending) => pending.session)];
  const operator = contextOf(charging, systemCaller('operator', { ...ctx().scope }));
  const offer = { title: 'Design', credits: 3_000, days: 365 };
  const quotes = await Promise.all(Array.from({ length: QUOTES }, () => offerServiceQuote(operator, offer)));
  return { ctx: () => contextOf(charging, caller), sessions, quotes };
}

async function perform({ ctx, sessions, quotes }: Workspace, step: Act): Promise<unknown> {
  switch (step.kind) {
    case 'activate':
      return activatePaidService(ctx());
    case 'deactivate':
      return deactivatePaidService(ctx());
    case 'renew':
      services.clock.advance(10 * DAY_MS);
      return renewSubscriptions(contextOf(charging, systemCaller('scheduler')));
    case 'pay': {
      const at = services.clock.now();
      const { payload, signature } = signedEvent(COMPLETED, sessions[step.which]!, { at });
      return receivePaymentEvent(contextOf(charging, anonymous), payload, signature);
    }
    case 'accept':
      return acceptServiceQuote(ctx(), quotes[step.which]!);
    case 'spend':
      return spend(ctx(), step.amount);
    case 'kill':
      return killer.sql.query(
        `SELECT count(pg_terminate_backend(pid)) FROM (
           SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'loyalty'
            ORDER BY (state = 'active') DESC, random() LIMIT 2) AS victims`,
      );
  }
}

/** Errors of pool, driver and Prisma for a lost connection. */
const CUT = /57P01|ECONNRESET|08006|P1017|P2028|connection (terminated|error)|terminating connection/i;

/**
 * Refusals and lost connections are expected; a deadlock, a wait for a lock or a broken constraint is a bug.
 */
const isExpected = (error: unknown): boolean => {
  const { code, message } = error as Error & { code?: string };
  return error instanceof AppError || CUT.test(`${code} ${message}`);
};

/** Counts of events, so that the test can show that it tested something. */
const seen: Record<string, number> = {};

async function play(workspace: Workspace, steps: readonly Act[]): Promise<void> {
  const rest = [...steps];
  const hand = async () => {
    for (let step = rest.pop(); step; step = rest.pop()) {
      await perform(workspace, step).catch((error: unknown) => {
        if (!isExpected(error)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, hand));
}

/** Checks that each of a workspace's facts is booked at most once, and exactly if it is marked so. */
async function expectBookedOnce(ctx: Context): Promise<void> {
  const { workspaceId } = ctx.scope;
  const kinds = await ctx.sql.query<{ kind: string; count: number }>(
    `SELECT kind, count(*)::int AS count FROM model.credit_entries
      WHERE workspace_id = $1 AND account = 'WALLET' GROUP BY kind`,
    [workspaceId],
  );
  for (const { kind, count } of kinds) seen[kind] = (seen[kind] ?? 0) + count;
  const [marked] = await ctx.sql.query(
    `SELECT (SELECT count(*)::int FROM model.deposits WHERE workspace_id = $1 AND status = 'PAID') AS paid,
            (SELECT count(*)::int FROM model.service_quotes
              WHERE workspace_id = $1 AND status = 'ACCEPTED') AS accepted`,
    [workspaceId],
  );
  const of = (wanted: string) => kinds.find(({ kind }) => kind === wanted)?.count ?? 0;
  expect(marked).toEqual({ paid: of('DEPOSIT'), accepted: of('SERVICE') });
}

test('payments, renewals, quotes and usage at once, with connections cut, leave wallet and ledger agreeing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 120, maxLength: 200 }), async (steps) => {
      const workspace = await prepare();
      await play(workspace, steps);
      const unharmed = contextOf({ ...charging, database: killer }, callerOf(workspace.ctx().scope));
      await expectSoundLedger(unharmed);
      await expectBookedOnce(unharmed);
    }),
    { numRuns: 8 },
  );
  for (const kind of ['DEPOSIT', 'SUBSCRIPTION', 'SERVICE', 'USAGE']) expect(seen[kind]).toBeGreaterThan(7);
});
