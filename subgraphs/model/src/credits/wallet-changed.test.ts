import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import type { Context, Services } from '@loyalty/platform/context';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { createServices } from '@loyalty/platform/services';
import { callerOf, contextOf, useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import { model } from '../subgraph.ts';
import {
  expireReservations,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from './reservations.service.ts';

const { services, newContext, beforeClose } = useServices();
/** The services of another process: the same database, but its own connections. */
let elsewhere: Services & { close(): Promise<void> };
beforeAll(async () => {
  const config = { ...services.config, DATABASE_URL: services.url };
  elsewhere = await createServices(config, 'elsewhere', { clock: services.clock });
});
beforeClose(() => elsewhere.close());

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
let open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.map((results) => results.return!()));
  open = [];
});

async function watch(ctx: Context) {
  const query = 'subscription { walletChanged { balance reserved available } }';
  const answer = await subscribeSubgraph(model, { query }, ctx);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  return async () => {
    const { value } = await answer.next();
    return JSON.parse(JSON.stringify(value?.data?.['walletChanged'] ?? value?.errors));
  };
}

const wallet = (balance: number, reserved: number) => ({ balance, reserved, available: balance - reserved });
const hold = (ctx: Context, amount: bigint) => reserveCredits(ctx, { amount, purpose: 'Score' });

test('the wallet comes at once, and again after every change that was kept', async () => {
  const ctx = newContext();
  const next = await watch(ctx);
  expect(await next()).toEqual(wallet(50_000, 0));
  const first = await hold(ctx, 100n);
  expect(await next()).toEqual(wallet(50_000, 100));
  await settleReservation(ctx, first, 30n);
  expect(await next()).toEqual(wallet(49_970, 0));
  const second = await hold(ctx, 7n);
  expect(await next()).toEqual(wallet(49_970, 7));
  await releaseReservation(ctx, second);
  expect(await next()).toEqual(wallet(49_970, 0));
});

test('a change by another process arrives, of this workspace only', async () => {
  const caller = callerOf();
  const next = await watch(contextOf(services, caller));
  expect(await next()).toEqual(wallet(50_000, 0));
  await hold(contextOf(elsewhere), 5n);
  await hold(contextOf(elsewhere, caller), 9n);
  expect(await next()).toEqual(wallet(50_000, 9));
  services.clock.advance(60 * 60_000);
  await expireReservations(contextOf(elsewhere));
  expect(await next()).toEqual(wallet(50_000, 0));
});

test('changes that come faster than they are read are one, with the newest wallet', async () => {
  const ctx = newContext();
  const next = await watch(ctx);
  await next();
  for (let n = 0; n < 20; n += 1) await hold(ctx, 1n);
  const heard = new Promise((resolve) => services.live.subscribe('end', resolve));
  await services.live.publish('end', 'end');
  await heard;
  expect(await next()).toEqual(wallet(50_000, 20));
  const parked = next();
  await hold(ctx, 1n);
  expect(await parked).toEqual(wallet(50_000, 21));
});

test('live and test mode watch the same wallet', async () => {
  const live = callerOf();
  const next = await watch(contextOf(services, { ...live, mode: 'TEST' }));
  await next();
  await hold(contextOf(services, live), 3n);
  expect(await next()).toEqual(wallet(50_000, 3));
});

test.each([
  ['a key of the loyalty API', { kind: 'KEY', scopes: ['members:read'] }, 'SCOPE_MISSING'],
  ['a member', { kind: 'MEMBER' }, 'CALLER_REFUSED'],
] as const)('%s may not watch it', async (_, change, reason) => {
  const caller: Caller = { ...callerOf(), ...change };
  await expect(watch(contextOf(services, caller))).rejects.toMatchObject({ reason });
});
