import { expect, test } from '@jest/globals';
import { askPeer } from '@loyalty/test/harness/peers';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { ingestTrackedEventsJob } from './facts.jobs.ts';
import { countFacts } from './facts.service.ts';

const { ctx } = useServices();

let made = 0;
async function member(): Promise<string> {
  made += 1;
  const query = 'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }';
  const variables = { input: { email: `tracked-${made}@example.com` } };
  const answer = await askPeer(ctx, 'loyalty', query, variables);
  return (answer['createMember'] as { id: string }).id;
}

const track = (events: readonly object[]) => {
  const query = 'mutation ($events: [TrackedEventInput!]!) { trackEvents(events: $events) { accepted } }';
  return askPeer(ctx, 'engagement', query, { events });
};

/** Does what the worker does with every event that was published so far, again at each call. */
async function ingestAll(): Promise<void> {
  for (const payload of await publishedEvents(ctx, 'tracking.events_recorded'))
    await ingestTrackedEventsJob.run(ctx, payload);
}

const facts = () =>
  ctx.sql.query<object>(
    `SELECT member_id, type, item_id, value::float8 AS value FROM model.event_facts
      WHERE workspace_id = $1 ORDER BY type, item_id`,
    [ctx.scope.workspaceId],
  );

test('views and carts of members become facts once, and nothing else does', async () => {
  const memberId = await member();
  await track([
    { event: 'view', memberId, properties: { itemId: 'tea', value: 4.5 } },
    { event: 'add_to_cart', memberId, properties: { item_id: 17 } },
    { event: 'view', memberId },
    { event: 'search', memberId, properties: { itemId: 'tea' } },
    { event: 'view', anonymousId: 'v', properties: { itemId: 'tea' } },
  ]);
  await ingestAll();
  await ingestAll();
  expect(await facts()).toEqual([
    { memberId, type: 'cart_add', itemId: '17', value: null },
    { memberId, type: 'view', itemId: 'tea', value: 4.5 },
  ]);
  expect((await countFacts(ctx)).EVENTS).toBe(2);
});

test('views of a visitor become facts once the member is known', async () => {
  const memberId = await member();
  await track([{ event: 'view', anonymousId: 'v', properties: { itemId: 'tea' } }]);
  await ingestAll();
  expect(await facts()).toEqual([]);
  await track([{ event: 'login', memberId, anonymousId: 'v' }]);
  await ingestAll();
  expect(await facts()).toMatchObject([{ memberId, type: 'view', itemId: 'tea' }]);
});

test('events of a member whose processing was restricted meanwhile are not ingested', async () => {
  const memberId = await member();
  await track([{ event: 'view', memberId, properties: { itemId: 'tea' } }]);
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  await ingestAll();
  expect(await facts()).toEqual([]);
});
