import { expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { given, track } from './tracking.fixture.ts';
import { watchTracking } from './tracking-feed.service.ts';

const { services, ctx, fresh, newContext } = useServices();

const all = { event: null, sampleRate: 1 };

/** Reads the next events of a watcher. */
async function read(watcher: Awaited<ReturnType<typeof watchTracking>>, count: number) {
  const shown = [];
  for (let left = count; left > 0; left -= 1) {
    const { value } = await watcher.next();
    shown.push(value!);
  }
  return shown;
}

const trackAt = (of: Context, ...events: Parameters<typeof track>[1][]) => {
  services.clock.advance(1);
  return track(of, ...events);
};

test('a watcher gets the events of its workspace and mode from now on, with the member', async () => {
  const memberId = await given.member(ctx);
  await trackAt(ctx, { event: 'before' });
  const watcher = await watchTracking(ctx, all);
  for (const other of [newContext(), fresh({ mode: 'TEST' })]) await trackAt(other, { event: 'foreign' });
  await trackAt(ctx, { event: 'first', memberId, properties: { a: 1 } });
  expect(await read(watcher, 1)).toMatchObject([
    { event: 'first', memberId, properties: { a: 1 }, anonymousId: null, skipped: 0 },
  ]);
  await trackAt(ctx, { event: 'second', anonymousId: 'v' });
  expect(await read(watcher, 1)).toMatchObject([{ event: 'second', memberId: null, anonymousId: 'v' }]);
  await watcher.return!();
});

test('a watcher gets at most ten events at a time, with the number of those left out', async () => {
  const watcher = await watchTracking(ctx, all);
  await trackAt(ctx, ...Array.from({ length: 100 }, () => ({})));
  const shown = await read(watcher, 10);
  expect(shown.map(({ skipped }) => skipped)).toEqual([90, ...Array(9).fill(0)]);
  await watcher.return!();
});

test('a watcher may choose a name and a share of the events', async () => {
  const [named, some] = [
    await watchTracking(ctx, { event: 'search', sampleRate: 1 }),
    await watchTracking(ctx, { event: null, sampleRate: 0.5 }),
  ];
  await trackAt(ctx, ...Array.from({ length: 16 }, (_, n) => ({ id: `sample-${n}` })), { event: 'search' });
  expect((await read(named, 1))[0]).toMatchObject({ event: 'search', skipped: 0 });
  const [first] = await read(some, 1);
  expect(first!.skipped).toBeGreaterThan(0);
  await expect(watchTracking(ctx, { event: null, sampleRate: 0 })).rejects.toThrow('sampleRate');
  await Promise.all([named.return!(), some.return!()]);
});
