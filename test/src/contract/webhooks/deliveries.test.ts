import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { useStack } from '../../harness/stack.ts';
import { watch } from '../../harness/watch.ts';

const stack = useStack();
let owner: string;
let stranger: string;
let endpointId: string;

const PING = 'mutation ($id: ID!) { made: pingWebhook(id: $id) { id webhookId status replayOf } }';
const REPLAY = 'mutation ($id: ID!) { made: replayDelivery(id: $id) { id webhookId status replayOf } }';

interface Made {
  readonly id: string;
  readonly webhookId: string;
  readonly replayOf: string | null;
}

beforeAll(async () => {
  owner = (await stack.signUp()).token;
  stranger = (await stack.signUp()).token;
  const { data } = await stack.graph<{ made: { endpoint: { id: string } } }>(
    `mutation { made: createWebhookEndpoint(input: {url: "https://hooks.example.com/in",
      eventTypes: ["member.created"]}) { endpoint { id } } }`,
    {},
    owner,
  );
  endpointId = data.made.endpoint.id;
});

const make = async (query: string, id: string, as = owner) => {
  const { data, errors } = await stack.graph<{ made: Made }>(query, { id }, as);
  return { made: data?.made, reason: errors?.[0]?.extensions['reason'] };
};

test('a socket gets deliveries of its workspace as they are made, with fields of the graph', async () => {
  const query = `subscription ($endpointId: ID) { webhookDeliveryChanged(endpointId: $endpointId) {
    id status endpoint { url statistics { pendingDeliveries } } body } }`;
  const own = await watch(stack.url, { query, variables: { endpointId } }, owner);
  const foreign = await watch(stack.url, { query }, stranger);
  const shown = () =>
    own.results.map(
      (result) => (result as { data: { webhookDeliveryChanged: Made } }).data.webhookDeliveryChanged,
    );
  await eventually(async () => {
    await make(PING, endpointId);
    expect(shown().length).toBeGreaterThan(0);
  });
  const { made } = await make(PING, endpointId);
  await eventually(() => expect(shown().map(({ id }) => id)).toContain(made!.id));
  expect(shown().at(-1)).toMatchObject({
    status: 'PENDING',
    endpoint: { url: 'https://hooks.example.com/in', statistics: { pendingDeliveries: expect.any(Number) } },
    body: { type: 'webhook.ping', data: { resource_id: endpointId } },
  });
  expect(foreign.results).toEqual([]);
  await own.stop();
  await foreign.stop();
});

test('a replay has the webhook-id of what it repeats; a foreign delivery or endpoint is not found', async () => {
  const { made: ping } = await make(PING, endpointId);
  const { made: replay } = await make(REPLAY, ping!.id);
  expect(replay).toEqual({
    id: replay!.id,
    webhookId: ping!.webhookId,
    status: 'PENDING',
    replayOf: ping!.id,
  });
  expect(await make(REPLAY, ping!.id, stranger)).toMatchObject({ reason: 'WEBHOOK_DELIVERY_NOT_FOUND' });
  expect(await make(PING, endpointId, stranger)).toMatchObject({ reason: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
  expect(await make(REPLAY, 'no id')).toMatchObject({ made: undefined });
});

test('an Idempotency-Key repeats a replay once', async () => {
  const { made: ping } = await make(PING, endpointId);
  const headers = { 'idempotency-key': 'again-1' };
  const send = () => stack.graph<{ made: Made }>(REPLAY, { id: ping!.id }, owner, headers);
  const first = await send();
  const second = await send();
  expect(second.data).toEqual(first.data);
});
