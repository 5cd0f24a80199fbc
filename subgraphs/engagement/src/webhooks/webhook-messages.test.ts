import { afterEach, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { eventually } from '@loyalty/test/harness/eventually';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import { engagement } from '../subgraph.ts';

const { ctx, fresh, newContext } = useServices();

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
const open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((results) => results.return!()));
});

const DOCUMENT = `subscription ($eventTypes: [String!]) {
  webhookMessages(eventTypes: $eventTypes) { id type body } }`;

async function listen(own: Context, eventTypes: readonly string[] | null = null) {
  const answer = await subscribeSubgraph(engagement, { query: DOCUMENT, variables: { eventTypes } }, own);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
  const seen: any[] = [];
  void (async () => {
    for await (const { data, errors } of answer) seen.push(errors?.[0] ?? data!['webhookMessages']);
  })();
  return seen;
}

/** Sends a mutation to the loyalty subgraph. */
const loyalty = async (own: Context, mutation: string, variables: object = {}) =>
  (await askPeer(own, 'loyalty', mutation, variables)) as Record<string, { id: string }>;
const enrol = async (own: Context, email: string): Promise<string> =>
  (
    await loyalty(
      own,
      'mutation ($email: String!) { createMember(input: {email: $email, fullName: "Ada Lovelace"}) { id } }',
      { email },
    )
  )['createMember']!.id;
const award = (own: Context, id: string) =>
  loyalty(own, 'mutation ($id: ID!) { awardPoints(memberId: $id, input: {amount: 60}) { id } }', { id });

test('every event of the catalog is sent as a delivery has it, counted from 1, with the tier', async () => {
  await loyalty(
    ctx,
    'mutation { createTier(input: {name: "Silver", rank: 1, upgradeThreshold: 50, multiplier: 1}) { id } }',
  );
  const seen = await listen(fresh());
  const memberId = await enrol(fresh(), 'ada@example.com');
  await award(fresh(), memberId);
  const types = ['member.created', 'loyalty.points_awarded', 'loyalty.tier_upgraded'];
  await eventually(() => expect(seen.map(({ type }) => type)).toEqual(expect.arrayContaining(types)));
  expect(seen.map(({ body }) => body.sequence)).toEqual(seen.map((_, at) => at + 1));
  const of = (type: string) => seen.find((one) => one.type === type);
  expect(of('member.created').body.data).toEqual({ resource_id: memberId, member_ref: memberId });
  expect(of('loyalty.points_awarded').body.data).toMatchObject({ member_ref: memberId, tier: 'Silver' });
  for (const { id, type, body } of seen) expect([body.id, body.type]).toEqual([id, type]);
  expect(JSON.stringify(seen)).not.toMatch(/ada@|Lovelace/);
});

test('only the chosen events come, of the own workspace and mode', async () => {
  const chosen = await listen(fresh(), ['loyalty.points_awarded', 'loyalty.points_awarded']);
  const others = [await listen(newContext()), await listen(fresh({ mode: 'TEST' }))];
  const memberId = await enrol(fresh(), 'bo@example.com');
  await award(fresh(), memberId);
  await eventually(() => expect(chosen).toHaveLength(1));
  expect(chosen[0].body).toMatchObject({ type: 'loyalty.points_awarded', sequence: 1 });
  expect(others).toEqual([[], []]);
});

test('an unknown event, no event, and a key without the scope are refused', async () => {
  const refused = { reason: 'EVENT_TYPE_UNKNOWN', field: 'eventTypes[1]' };
  await expect(listen(fresh(), ['member.created', 'x'])).rejects.toMatchObject(refused);
  await expect(listen(fresh(), [])).rejects.toMatchObject({ field: 'eventTypes' });
  const key = fresh({ kind: 'KEY', role: null, scopes: ['members:read'] });
  await expect(listen(key)).rejects.toMatchObject({ reason: 'SCOPE_MISSING' });
});
