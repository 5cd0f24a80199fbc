import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Services } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { drain, sendDue } from './sending.service.ts';
import { claimDeliveries } from './sending.store.ts';
import {
  deliveriesOf,
  eventOf,
  fanOut,
  givenReceiver,
  type Receiver,
  sendAll,
  sendingTo,
  startReceiver,
  workerContext,
} from './webhooks.fixture.ts';

const { services, ctx } = useServices();

let receiver: Receiver;
let sending: Services;
beforeEach(async () => {
  receiver = await startReceiver();
  sending = sendingTo(services, receiver.host);
});
afterEach(async () => {
  receiver.close();
  await sending.http.close();
});

const memberCreated = () => eventOf(ctx, 'member.created', { memberId: newId(services.clock) });

describe('with several workers', () => {
  test('each delivery is sent once', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    await fanOut(services, ...Array.from({ length: 100 }, memberCreated));
    const workers = [1, 2, 3].map(() => sendingTo(services, receiver.host));
    for (let turn = 0; turn < 4; turn += 1) await Promise.all(workers.map(sendAll));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
    await Promise.all(workers.map(({ http }) => http.close()));
  });

  test('one that was given up cannot write its result over that of the next', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    await fanOut(services, memberCreated());
    const held = Promise.withResolvers<void>();
    receiver.answer = async (response) => {
      if (receiver.received.length === 1) await held.promise;
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    };
    const slow = { ...sendingTo(services, receiver.host) };
    await sendDue(workerContext(slow));
    await eventually(() => expect(receiver.received).toHaveLength(1));
    services.clock.advance(MINUTE_MS);
    await sendAll(sending);
    held.resolve();
    await drain(workerContext(slow));
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
    await slow.http.close();
  });

  test('one that was given up cannot write its result while the next one still sends', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    await fanOut(services, memberCreated());
    const ends = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    receiver.answer = async (response) => {
      response.writeHead(await ends[receiver.received.length - 1]!.promise).end();
    };
    const workers = [1, 2].map(() => ({ ...sendingTo(services, receiver.host) }));
    for (const [place, worker] of workers.entries()) {
      await sendDue(workerContext(worker));
      await eventually(() => expect(receiver.received).toHaveLength(place + 1));
      services.clock.advance(MINUTE_MS);
    }
    const endOf = async (place: number, status: number) => {
      ends[place]!.resolve(status);
      await drain(workerContext(workers[place]!));
      return deliveriesOf(ctx);
    };
    expect(await endOf(0, 500)).toMatchObject([{ status: 'PENDING', attempts: 0 }]);
    expect(await endOf(1, 200)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
    for (const { http } of workers) await http.close();
  });
});

test('a delivery that is cancelled while it is sent stays cancelled', async () => {
  await givenReceiver(ctx, receiver.url, ['member.created']);
  await fanOut(services, memberCreated());
  const held = Promise.withResolvers<void>();
  receiver.answer = async (response) => {
    await held.promise;
    response.end();
  };
  await sendDue(workerContext(sending));
  await eventually(() => expect(receiver.received).toHaveLength(1));
  await ctx.sql.query(
    `UPDATE engagement.webhook_deliveries SET status = 'CANCELLED', due_at = NULL WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  held.resolve();
  await drain(workerContext(sending));
  expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'CANCELLED', attempts: 0, dueAt: null }]);
});

test('a claim takes of each endpoint what its capacity allows, and goes on where the last one ended', async () => {
  const endpoints: string[] = [];
  for (let n = 0; n < 5; n += 1)
    endpoints.push((await givenReceiver(ctx, receiver.url, ['member.created'])).id);
  await fanOut(services, ...Array.from({ length: 10 }, memberCreated));
  const worker = workerContext(services);
  const claim = (size: number, after: string | null) =>
    claimDeliveries(worker, {
      size,
      perEndpoint: 3,
      capacities: [{ endpointId: endpoints[1]!, free: 0 }],
      after: after === null ? null : [ctx.scope.workspaceId, 'LIVE', after],
      until: new Date(services.clock.now().getTime() + MINUTE_MS),
    });
  const counts = (claimed: readonly { endpointId: string }[]) =>
    endpoints.map((id) => claimed.filter(({ endpointId }) => endpointId === id).length);
  expect(counts(await claim(100, endpoints[2]!))).toEqual([0, 0, 0, 3, 3]);
  expect(counts(await claim(7, null))).toEqual([3, 0, 3, 1, 0]);
});
