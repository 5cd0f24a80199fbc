import { expect, test } from '@jest/globals';
import type { Attempt, ClaimedDelivery } from './attempt.ts';
import { createWindow, ENDPOINT_START, type Window } from './sending-window.ts';

const delivery = { endpointId: 'one' } as ClaimedDelivery;

/** Sends requests one after the other, with these outcomes. */
async function answered(window: Window, outcomes: readonly Attempt['outcome'][]): Promise<void> {
  for (const outcome of outcomes) {
    window.start(delivery, async () => ({ outcome }) as Attempt);
    await window.idle();
  }
}

const failures = (count: number) => Array<Attempt['outcome']>(count).fill('UNAVAILABLE');
const successes = (count: number) => Array<Attempt['outcome']>(count).fill('DELIVERED');

test.each<[string, number, Attempt['outcome'][]]>([
  ['two failures', 16, failures(2)],
  ['three failures', 2, failures(3)],
  ['three failures and a success', 16, [...failures(3), ...successes(1)]],
  ['two failures, a success and two failures', 16, [...failures(2), ...successes(1), ...failures(2)]],
  ['31 successes', 16, successes(31)],
  ['32 successes', 64, successes(32)],
  ['32 successes and a failure', 16, [...successes(32), ...failures(1)]],
  ['32 successes and three failures', 2, [...successes(32), ...failures(3)]],
  ['31 successes, a failure and a success', 16, [...successes(31), ...failures(1), ...successes(1)]],
  ['three refusals, which are answers', 16, Array(3).fill('REFUSED')],
])('after %s an endpoint gets %i requests at once', async (_, limit, outcomes) => {
  const window = createWindow(() => undefined);
  await answered(window, outcomes);
  // Endpoints that are not listed have the capacity of an unknown endpoint.
  expect(ENDPOINT_START).toBe(16);
  expect(window.capacities()).toEqual(limit === ENDPOINT_START ? [] : [{ endpointId: 'one', free: limit }]);
});

test('an endpoint gets 16 requests at once at first, and a worker has 256 under way', async () => {
  const window = createWindow(() => undefined);
  const held = Promise.withResolvers<void>();
  const start = (count: number) => {
    for (let request = 0; request < count; request += 1)
      window.start(delivery, async () => {
        await held.promise;
        return { outcome: 'DELIVERED' } as Attempt;
      });
  };
  start(15);
  expect([window.capacity(), window.capacities()]).toEqual([241, [{ endpointId: 'one', free: 1 }]]);
  start(241);
  expect([window.capacity(), window.capacities()]).toEqual([0, [{ endpointId: 'one', free: 0 }]]);
  held.resolve();
  await window.idle();
  expect([window.capacity(), window.capacities()]).toEqual([256, [{ endpointId: 'one', free: 64 }]]);
});
