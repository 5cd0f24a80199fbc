import { beforeEach, expect, test } from '@jest/globals';
import { addMs, MINUTE_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { CLAIMS_MAX } from '@loyalty/platform/work/lost-workers';
import { useServices } from '@loyalty/test/harness/services';
import type { Attempt, ClaimedDelivery } from './attempt.ts';
import { keepResults } from './sending.service.ts';
import { claimDeliveries } from './sending.store.ts';
import { deliveriesOf, eventOf, fanOut, givenReceiver, workerContext } from './webhooks.fixture.ts';

const { services, ctx } = useServices();

let endpointId: string;
let claimed: ClaimedDelivery[];
beforeEach(async () => {
  ({ id: endpointId } = await givenReceiver(ctx, 'https://hooks.example.org/', ['member.created']));
  const event = () => eventOf(ctx, 'member.created', { memberId: newId(services.clock) });
  await fanOut(services, event(), event(), event());
  const request = { size: 10, perEndpoint: 10, capacities: [], after: null };
  const until = addMs(services.clock.now(), MINUTE_MS);
  claimed = await claimDeliveries(workerContext(services), { ...request, until });
  expect(claimed).toHaveLength(3);
});

const at = (ms: number): Date => addMs(services.clock.now(), ms);
const delivered = { outcome: 'DELIVERED', responseStatus: 200, error: null } as const;
const failed = { outcome: 'UNAVAILABLE', responseStatus: 500, error: 'The endpoint answered 500.' } as const;
const refused = { outcome: 'REFUSED', responseStatus: 410, error: 'The endpoint answered 410.' } as const;

/** An attempt that began and ended at the given times, in ms. */
const attempt = (
  place: number,
  [from, until]: readonly [number, number],
  outcome: Pick<Attempt, 'outcome' | 'responseStatus' | 'error'>,
): Attempt => ({
  delivery: claimed[place]!,
  startedAt: at(from),
  durationMs: until - from,
  responseExcerpt: null,
  retryAfterMs: null,
  ...outcome,
});

async function endpoint() {
  const [row] = await ctx.sql.query<Record<string, unknown>>(
    `SELECT status, failing_since, last_success_at, last_failure_at
       FROM engagement.webhook_endpoints WHERE id = $1`,
    [endpointId],
  );
  return row!;
}

const [short, long] = [
  [SECOND_MS, 2 * SECOND_MS],
  [0, 3 * SECOND_MS],
] as const;

test.each([
  ['first', (ended: Attempt[]) => ended],
  ['last', (ended: Attempt[]) => ended.toReversed()],
])('an endpoint works whose last answer is a success, though it is written %s', async (_, order) => {
  await keepResults(workerContext(services), order([attempt(0, long, delivered), attempt(1, short, failed)]));
  expect(await endpoint()).toMatchObject({ failingSince: null, lastSuccessAt: at(0), lastFailureAt: null });
});

test.each([
  ['first', (ended: Attempt[]) => ended],
  ['last', (ended: Attempt[]) => ended.toReversed()],
])('an endpoint fails whose last answer is a failure, though it is written %s', async (_, order) => {
  await keepResults(workerContext(services), order([attempt(0, long, failed), attempt(1, short, delivered)]));
  expect(await endpoint()).toMatchObject({
    failingSince: at(0),
    lastSuccessAt: at(SECOND_MS),
    lastFailureAt: at(0),
  });
});

test('an endpoint that succeeded after it had answered 410 is not gone', async () => {
  await keepResults(workerContext(services), [
    attempt(0, long, delivered),
    attempt(1, short, refused),
    attempt(2, short, failed),
  ]);
  expect(await endpoint()).toMatchObject({ status: 'ACTIVE', failingSince: null });
});

test('a delivery that was given up without a request says nothing of its endpoint', async () => {
  claimed = claimed.map((delivery) => ({ ...delivery, claims: CLAIMS_MAX + 1 }));
  await keepResults(workerContext(services), [
    attempt(0, [0, 0], { outcome: 'REFUSED', responseStatus: null, error: 'Lost.' }),
  ]);
  expect(await endpoint()).toMatchObject({ status: 'ACTIVE', failingSince: null, lastFailureAt: null });
  expect((await deliveriesOf(ctx)).filter(({ status }) => status === 'FAILED')).toHaveLength(1);
});
