import { beforeAll, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { createServices } from '@loyalty/platform/services';
import { eventually } from '@loyalty/test/harness/eventually';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import {
  expireReservations,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from './reservations.service.ts';
import { checkLedger } from './wallet.fixture.ts';

const { services, beforeClose } = useServices();
/** The services of another process: the same database, but its own connections and batches. */
let elsewhere: Services & { close(): Promise<void> };
beforeAll(async () => {
  const config = { ...services.config, DATABASE_URL: services.url };
  elsewhere = await createServices(config, 'elsewhere', { clock: services.clock });
});
beforeClose(() => elsewhere.close());

/** Creates a context in each process, and a reservation of 80 credits. */
async function start() {
  const caller = callerOf();
  const [here, there] = [contextOf(services, caller), contextOf(elsewhere, caller)];
  return { here, there, id: await reserveCredits(here, { amount: 80n, purpose: 'Score' }) };
}

/** Waits until this many statements wait for a lock; all of them saw the rows before it. */
const waiting = (count: number) =>
  eventually(async () => {
    const rows = await services.database.outsideTransaction.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(count);
  });

const lockWallet = (tx: Context) =>
  tx.sql.query('SELECT FROM model.wallets WHERE workspace_id = $1 FOR UPDATE', [tx.scope.workspaceId]);

test('two processes that settle the same reservation at the same time book once', async () => {
  const { here, there, id } = await start();
  const settling = await here.transaction(async (tx) => {
    await lockWallet(tx);
    const both = [settleReservation(here, id, 10n), settleReservation(there, id, 20n)];
    await waiting(2);
    return { both };
  });
  const [one, other] = await Promise.all(settling.both);
  expect(one).toEqual(other);
  const totals = await checkLedger(services.database.sql, here.scope.workspaceId);
  expect(totals).toMatchObject({ used: one!.settled, reserved: 0n });
});

test('one process that settles and another that releases do one of the two', async () => {
  const { here, there, id } = await start();
  const closing = await here.transaction(async (tx) => {
    await lockWallet(tx);
    const both = [settleReservation(here, id, 10n), releaseReservation(there, id)];
    await waiting(2);
    return { both };
  });
  const [settled, released] = await Promise.allSettled(closing.both);
  const { used, reserved } = await checkLedger(services.database.sql, here.scope.workspaceId);
  expect(reserved).toBe(0n);
  if (settled!.status === 'fulfilled') expect(used).toBe(10n);
  else expect([settled!.reason.code, used]).toEqual(['RESERVATION_CLOSED', 0n]);
  expect(released!.status).toBe('fulfilled');
});

test('a settlement that waits while its reservation expires is RESERVATION_CLOSED (409)', async () => {
  const { here, there, id } = await start();
  services.clock.advance(15 * MINUTE_MS);
  const settling = await here.transaction(async (tx) => {
    expect(await expireReservations(tx)).toBe(1);
    const late = settleReservation(there, id, 10n);
    late.catch(() => undefined);
    await waiting(1);
    return { late };
  });
  await expect(settling.late).rejects.toMatchObject({ category: 'CONFLICT', code: 'RESERVATION_CLOSED' });
  const totals = await checkLedger(services.database.sql, here.scope.workspaceId);
  expect(totals).toMatchObject({ used: 0n, reserved: 0n });
});

test('two processes that hold at the same time promise no more than there is', async () => {
  const { here, there } = await start();
  const holding = await here.transaction(async (tx) => {
    await lockWallet(tx);
    const what = { amount: 30_000n, purpose: 'Score' };
    const both = Promise.allSettled([reserveCredits(here, what), reserveCredits(there, what)]);
    await waiting(2);
    return { both };
  });
  const outcomes = await holding.both;
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const totals = await checkLedger(services.database.sql, here.scope.workspaceId);
  expect(totals).toMatchObject({ reserved: 30_080n });
});
