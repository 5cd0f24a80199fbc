import { beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';
import { enrol } from './members.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
});

test('GET /members/{id}/profile is one document; values that cannot be predicted are present as null', async () => {
  await stack.graph(
    'mutation { createTier(input: {name: "Gold", rank: 1, upgradeThreshold: 5, multiplier: 1.5}) { id } }',
    {},
    token,
  );
  const { id } = await enrol(stack, key);
  await stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 7 } });
  const order = {
    externalOrderId: 'o-1',
    memberId: id,
    currency: 'EUR',
    total: 1_250,
    occurredAt: '2026-03-01T09:00:00.000Z',
  };
  expect((await stack.rest('POST', '/api/v2/orders', { as: key, body: order })).status).toBe(201);
  const { status, body } = await stack.rest('GET', `/api/v2/members/${id}/profile`, { as: key });
  expect(status).toBe(200);
  expect(body).toEqual({
    memberId: id,
    lifetime: {
      orders: 1,
      revenue: 1_250,
      currency: 'EUR',
      first_order_at: '2026-03-01T09:00:00.000Z',
      last_order_at: '2026-03-01T09:00:00.000Z',
      average_order_value: 1_250,
    },
    visits: { count: 0, last_at: null },
    points: { balance: 7, earned_total: 7, redeemed_total: 0 },
    engagement: { emails_sent: 0, opened: 0, clicked: 0, last_click_at: null },
    tier: { ...shapes.tier, name: 'Gold' },
    expected_next_order_date: null,
    next_order: null,
    email_click_propensity: null,
    computed_at: shapes.instant,
  });
});

test('a member without anything has zeroes and no tier', async () => {
  const { token: other } = await stack.signUp();
  const as = (await stack.key(other)).secret;
  const { id } = await enrol(stack, as);
  const { body } = await stack.rest('GET', `/api/v2/members/${id}/profile`, { as });
  expect(body).toMatchObject({ points: { balance: 0, earned_total: 0, redeemed_total: 0 }, tier: null });
});

test('a member that does not exist has no profile, and a key without members:read sees none', async () => {
  const unknown = newId(systemClock);
  const profile = (id: string, as: string) => stack.rest('GET', `/api/v2/members/${id}/profile`, { as });
  for (const id of [unknown, 'nobody']) expectError(await profile(id, key), 404, 'MEMBER_NOT_FOUND', id);
  const { id } = await enrol(stack, key);
  const { secret } = await stack.key(token, ['points:write']);
  expectError(await profile(id, secret), 403, 'SCOPE_MISSING', /members:read/);
});

test('the graph says why nothing is predicted', async () => {
  const { id } = await enrol(stack, key);
  const { data } = await stack.graph<{ member: object }>(
    'query ($id: ID!) { member(id: $id) { predictions { expectedNextOrderOn unavailableBecause emailClickUnavailableBecause } } }',
    { id },
    token,
  );
  expect(data.member).toEqual({
    predictions: {
      expectedNextOrderOn: null,
      unavailableBecause: 'NOT_ENOUGH_DATA',
      emailClickUnavailableBecause: 'NOT_FITTED_YET',
    },
  });
});

test('a member that bought on three days has the day of its next order, from orders that the worker ingested', async () => {
  const { token: other } = await stack.signUp();
  const as = (await stack.key(other)).secret;
  const { id } = await enrol(stack, as);
  await stack.work();
  const today = stack.services.clock.now().getTime();
  for (const daysAgo of [65, 35, 5]) {
    const occurredAt = new Date(today - daysAgo * DAY_MS).toISOString();
    const order = { externalOrderId: `o-${daysAgo}`, memberId: id, currency: 'EUR', total: 900, occurredAt };
    expect((await stack.rest('POST', '/api/v2/orders', { as, body: order })).status).toBe(201);
  }
  await eventually(async () => {
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/profile`, { as });
    expect(body).toMatchObject({
      expected_next_order_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      next_order: {
        interval_mean_days: 30,
        interval_median_days: expect.closeTo(30, 1),
        interval_stddev_days: 0,
        purchases_used: 3,
        confidence: 'low',
      },
      email_click_propensity: null,
    });
    expect(Date.parse(body.expected_next_order_date)).toBeGreaterThan(today);
  });
});
