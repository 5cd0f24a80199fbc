import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { place } from '../visits/visits.fixture.ts';
import { deactivateAmbassadorCode, issueAmbassadorCode } from './ambassador-codes.service.ts';
import { attributeOrder, attributeReferral } from './referrals.service.ts';

const { services, ctx, fresh, newContext } = useServices();

beforeEach(async () => {
  services.clock.set('2026-03-02T12:00:00.000Z');
  await place.workspace(ctx, 'America/New_York');
});

const refer = async (code: string) => {
  const { id } = await given.member(ctx);
  await attributeReferral(ctx, id, code);
  return id;
};
const METRICS = `query ($from: Date, $to: Date) { ambassadorMetrics(from: $from, to: $to) {
  ambassadors codesIssued codesRedeemed referredMembers referredOrders conversionRate period { from to } } }`;
const metrics = async (args: Record<string, unknown> = {}, where = fresh()) =>
  (await ask(where, METRICS, args)).ambassadorMetrics;
const order = (memberId: string) => attributeOrder(ctx, newId(ctx.clock), memberId);

test('metrics count exactly what happened in the days of the workspace', async () => {
  const [ada, bob, eve] = await Promise.all(Array.from({ length: 3 }, () => given.member(ctx)));
  const before = await issueAmbassadorCode(ctx, ada!.id, null);
  const early = await refer(before.code);
  const gone = await issueAmbassadorCode(ctx, eve!.id, null);
  await deactivateAmbassadorCode(ctx, gone.id);
  // The last millisecond of 9 March in New York is 03:59:59.999 UTC of the 10th.
  services.clock.set('2026-03-10T03:59:59.999Z');
  await refer(before.code);
  services.clock.set('2026-03-10T04:00:00.000Z');
  const within = await issueAmbassadorCode(ctx, bob!.id, null);
  const friends = [await refer(before.code), await refer(within.code), await refer(within.code)];
  await order(early);
  await order(friends[0]!);
  await order(friends[0]!);
  services.clock.set('2026-03-13T03:59:59.999Z');
  await order(friends[1]!);
  services.clock.set('2026-03-13T04:00:00.000Z');
  await order(friends[2]!);
  await refer(within.code);
  expect(await metrics({ from: '2026-03-10', to: '2026-03-12' })).toEqual({
    ambassadors: 2,
    codesIssued: 1,
    codesRedeemed: 2,
    referredMembers: 3,
    referredOrders: 4,
    conversionRate: 0.6667,
    period: { from: '2026-03-10', to: '2026-03-12' },
  });
  const none = {
    codesIssued: 0,
    codesRedeemed: 0,
    referredMembers: 0,
    referredOrders: 0,
    conversionRate: 0,
  };
  const test = newContext({ workspaceId: ctx.scope.workspaceId, mode: 'TEST' });
  expect(await metrics({}, test)).toMatchObject({ ambassadors: 0, ...none });
  const other = newContext();
  await place.workspace(other);
  expect(await metrics({}, other)).toMatchObject({ ambassadors: 0, ...none });
});

test('metrics cover the last thirty days by default, and at most 366', async () => {
  services.clock.set('2026-03-02T03:00:00.000Z');
  expect((await metrics()).period).toEqual({ from: '2026-01-31', to: '2026-03-01' });
  expect((await metrics({ to: '2026-02-01' })).period).toEqual({ from: '2026-01-03', to: '2026-02-01' });
  for (const [from, to] of [
    ['2026-02-02', '2026-02-01'],
    ['2025-01-31', '2026-02-01'],
  ])
    await expect(metrics({ from, to })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await expect(metrics({ from: '2025-02-01', to: '2026-02-01' })).resolves.toBeTruthy();
});
