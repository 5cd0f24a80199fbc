import { expect, test } from '@jest/globals';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { useServices } from '@loyalty/test/harness/services';
import { ask, given } from '../loyalty.fixture.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { spendPoints } from './booking.service.ts';
import { awardPoints } from './points.service.ts';

const { services, ctx, fresh } = useServices();

const READ =
  'query ($id: ID!) { member(id: $id) { pointsBalance pointsExpiring(withinDays: 40) { amount } } }';

test.each([
  [1, [19, 30]],
  [19, [1, 30]],
  [20, [30]],
  [21, [29]],
  [50, []],
])('spending %i of lots of 20 and 30 takes them from the one that expires first', async (points, left) => {
  await updateProgram(ctx, { pointsExpireAfterDays: 30 });
  const { id } = await given.member(ctx);
  await awardPoints(fresh(), id, { amount: 20 });
  services.clock.advance(DAY_MS);
  await awardPoints(fresh(), id, { amount: 30 });
  const booking = { memberId: id, points, description: 'coupon', source: `coupon:${id}` };
  await fresh().transaction((tx) => spendPoints(tx, booking));
  const { pointsBalance, pointsExpiring } = (await ask(fresh(), READ, { id })).member;
  expect(pointsBalance).toBe(50 - points);
  expect(pointsExpiring.map(({ amount }: { amount: number }) => amount)).toEqual(left);
});
