import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { trackingOfMember } from './tracked-events.service.ts';
import { given, storedEvents, track } from './tracking.fixture.ts';
import { eraseTrackingJob } from './tracking.jobs.ts';

const { ctx, newContext } = useServices();

test('an export has the events of a member and the visitors that it was', async () => {
  const memberId = await given.member(ctx);
  await track(ctx, { event: 'early', anonymousId: 'v' });
  await track(ctx, { event: 'login', memberId, anonymousId: 'v', properties: { a: 1 } }, { event: 'other' });
  const exported = await trackingOfMember(ctx, memberId);
  expect(exported).toEqual({
    events: [
      expect.objectContaining({ event: 'early', properties: null }),
      expect.objectContaining({ event: 'login', properties: { a: 1 }, anonymousId: 'v' }),
    ],
    visitors: [expect.objectContaining({ anonymousId: 'v' })],
  });
  expect(await trackingOfMember(newContext(), memberId)).toEqual({ events: [], visitors: [] });
});

test('an erased member’s events are deleted, and the visitor is nobody again', async () => {
  const [memberId, other] = [await given.member(ctx), await given.member(ctx)];
  await track(ctx, { memberId, anonymousId: 'v' }, { event: 'kept', memberId: other });
  await eraseTrackingJob.run(newContext(), { memberId });
  expect(await storedEvents(ctx)).toHaveLength(2);
  await eraseTrackingJob.run(ctx, { memberId });
  await eraseTrackingJob.run(ctx, { memberId });
  expect((await storedEvents(ctx)).map(({ event }) => event)).toEqual(['kept']);
  await track(ctx, { event: 'new', anonymousId: 'v' });
  expect((await storedEvents(ctx)).find(({ event }) => event === 'new')!.memberId).toBeNull();
});
