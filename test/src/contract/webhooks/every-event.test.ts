import { beforeAll, expect, test } from '@jest/globals';
import { catalogEvents } from '@loyalty/engagement-subgraph/events/catalog-events';
import {
  givenReceiver,
  type Receiver,
  startReceiver,
} from '@loyalty/engagement-subgraph/webhooks/webhooks.fixture';
import { eraseDueMembersJob } from '@loyalty/loyalty-subgraph/member-status/member-status.jobs';
import { expirePointsJob } from '@loyalty/loyalty-subgraph/points/points.jobs';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS } from '@loyalty/platform/base/clock';
import { createHttpClient } from '@loyalty/platform/outbound/http-client';
import { eventually } from '../../harness/eventually.ts';
import { contextOf } from '../../harness/services.ts';
import { useStack } from '../../harness/stack.ts';
import { acts } from './every-event.fixture.ts';
import { type LiveProgramme, openProgramme, run } from './programme.fixture.ts';

const stack = useStack();
let receiver: Receiver;
let programme: LiveProgramme;
let workspaceId: string;

beforeAll(async () => {
  receiver = await startReceiver();
  stack.beforeClose(() => receiver.close());
  // The HTTP client of the stack reaches only public addresses, so it is replaced.
  const http = createHttpClient({ allow: [receiver.host] });
  stack.beforeClose(() => http.close());
  Object.assign(stack.services, { http });
  programme = await openProgramme(stack);
  workspaceId = (await run<{ workspace: { id: string } }>(programme, '{ workspace { id } }')).workspace.id;
  const keys = catalogEvents.map(({ key }) => key);
  await givenReceiver(
    contextOf(stack.services, systemCaller('test', { workspaceId, mode: 'LIVE' })),
    receiver.url,
    keys,
  );
  await stack.work();
});

interface Body {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, string>>;
}

const bodies = (): Body[] => receiver.received.map(({ body }) => JSON.parse(body) as Body);
const delivered = (keys: readonly string[]) =>
  eventually(() => expect(bodies().map(({ type }) => type)).toEqual(expect.arrayContaining([...keys])));

test.each(acts)('%j are delivered when they happen', async (keys, act) => {
  await act(programme);
  await delivered(keys);
});

test('member.erased and loyalty.points_expired are delivered when their time has come', async () => {
  await run(programme, 'mutation { updateProgram(input: {pointsExpireAfterDays: 30}) { __typename } }');
  const { one, two } = await run(
    programme,
    `mutation { one: createMember(input: {email: "one@example.com"}) { id }
                two: createMember(input: {email: "two@example.com"}) { id } }`,
  );
  await run(
    programme,
    `mutation { awardPoints(memberId: "${one!.id}", input: {amount: 5}) { id }
                                   requestErasure(memberId: "${two!.id}") { id } }`,
  );
  stack.services.clock.advance(31 * DAY_MS);
  const worker = contextOf(stack.services, systemCaller('test'));
  await expirePointsJob.run(worker, {});
  await eraseDueMembersJob.run(worker, {});
  await delivered(['member.erased', 'loyalty.points_expired']);
});

test('so every event of the catalog was delivered, with no more than is documented', () => {
  const all = bodies();
  expect([...new Set(all.map(({ type }) => type))].toSorted()).toEqual(
    catalogEvents.map(({ key }) => key).toSorted(),
  );
  const allowed = ['resource_id', 'member_ref', 'tier', 'amount_band'];
  for (const body of all) {
    expect(Object.keys(body)).toEqual(['id', 'type', 'created_at', 'sequence', 'data']);
    expect(allowed).toEqual(expect.arrayContaining(Object.keys(body.data)));
    expect(JSON.stringify(body)).not.toMatch(/example\.com|Maria|Silva/);
  }
  // A delivery that was in flight when the clock was moved is sent twice, so equal numbers count once.
  const numbers = [...new Set(all.map(({ sequence }) => sequence))].toSorted((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, place) => place + 1));
  const shown = (type: string) => all.findLast((body) => body.type === type)!.data;
  expect(shown('loyalty.tier_upgraded')['tier']).toMatch(/^(Bronze|Gold)$/);
  expect(shown('order.created')['amount_band']).toBe('50-100');
});
