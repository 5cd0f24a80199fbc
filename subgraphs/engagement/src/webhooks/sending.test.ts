import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ASYNCHRONOUS_COMMIT } from '@loyalty/platform/base/asynchronous-commit';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Services } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { rotateSecret } from './endpoints.service.ts';
import { signedHeaders } from './send-delivery.service.ts';
import {
  deliveriesOf,
  eventOf,
  fanOut,
  givenReceiver,
  type Receiver,
  sendAll,
  sendingTo,
  startReceiver,
} from './webhooks.fixture.ts';

// The clock has the time of the machine, because the libraries that verify signatures use it.
const { services, ctx } = useServices({ at: new Date().toISOString() });

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
const endpointRow = async (id: string) =>
  (
    await ctx.sql.query<Record<string, unknown>>(
      `SELECT status, disabled_reason, failing_since, last_success_at, last_failure_at, last_error
         FROM engagement.webhook_endpoints WHERE id = $1`,
      [id],
    )
  )[0]!;
const attemptsOf = (id: string) =>
  ctx.sql.query<Record<string, unknown>>(
    `SELECT number, response_status, error, response_excerpt, duration_ms FROM engagement.webhook_attempts
      WHERE delivery_id = $1 ORDER BY number`,
    [id],
  );
const answering =
  (status: number, headers: Record<string, string> = {}): Receiver['answer'] =>
  (response) =>
    void response.writeHead(status, headers).end(`answer ${status}`);

/**
 * Whether a library would have created the same signature at that time. Its verification knows only the time
 * of the machine.
 */
function isSignedWith(
  library: typeof Webhook | typeof SvixWebhook,
  secret: string,
  { headers, body }: Receiver['received'][0],
): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signed = new library(secret).sign(String(headers['webhook-id']), at, body);
  return String(headers['webhook-signature']).split(' ').includes(signed);
}

test('the example of the Standard Webhooks specification is reproduced byte for byte', () => {
  const body = '{"test": 2432232314}';
  const at = new Date(1_614_265_330_000);
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  expect(signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', at, body, [secret])).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a delivery is signed, accepted by two libraries of others, and logged', async () => {
  const { id, secret } = await givenReceiver(ctx, `${receiver.url}/hook`, ['member.created']);
  const event = memberCreated();
  await fanOut(services, event);
  await sendAll(sending);
  const [{ headers, body, path }] = receiver.received as [Receiver['received'][0]];
  expect(path).toBe('/hook');
  const { memberId } = event.payload as { memberId: string };
  const expected = {
    id: event.id,
    type: 'member.created',
    created_at: event.createdAt.toISOString(),
    sequence: 1,
    data: { resource_id: memberId, member_ref: memberId },
  };
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(expected);
  expect(() => new SvixWebhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  expect(headers).toMatchObject({ 'webhook-id': event.id, 'content-type': 'application/json' });
  const [delivery] = await deliveriesOf(ctx);
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 1, dueAt: null, responseStatus: 200 });
  expect(await attemptsOf(delivery!.id)).toEqual([
    { number: 1, responseStatus: 200, error: null, responseExcerpt: 'ok', durationMs: expect.any(Number) },
  ]);
  expect(await endpointRow(id)).toMatchObject({ status: 'ACTIVE', lastSuccessAt: services.clock.now() });
});

test('a delivery to an endpoint that is well takes two statements: its claim and its result', async () => {
  const { id } = await givenReceiver(ctx, receiver.url, ['member.created']);
  const statementsOfNext = async () => {
    await fanOut(services, memberCreated());
    services.statements.length = 0;
    await sendAll(sending);
    return services.statements.filter((text) => !['BEGIN', 'COMMIT'].includes(text)).length;
  };
  expect(await statementsOfNext()).toBe(3);
  expect(services.statements.filter((text) => text.includes(ASYNCHRONOUS_COMMIT))).toHaveLength(1);
  const notedAt = services.clock.now();
  services.clock.advance(9 * SECOND_MS);
  expect(await statementsOfNext()).toBe(2);
  expect(await endpointRow(id)).toMatchObject({ lastSuccessAt: notedAt });
  services.clock.advance(2 * SECOND_MS);
  expect(await statementsOfNext()).toBe(3);
  expect(await endpointRow(id)).toMatchObject({ lastSuccessAt: services.clock.now() });
});

test('after a rotation both secrets verify, until the former one expires', async () => {
  const { id, secret } = await givenReceiver(ctx, receiver.url, ['member.created']);
  const { secret: next } = await rotateSecret(ctx, id);
  const both = () =>
    [Webhook, SvixWebhook].map((library) =>
      [next, secret].map((one) => isSignedWith(library, one, receiver.received.at(-1)!)),
    );
  await fanOut(services, memberCreated());
  await sendAll(sending);
  expect(both()).toEqual(Array(2).fill([true, true]));
  services.clock.advance(DAY_MS);
  await fanOut(services, memberCreated());
  await sendAll(sending);
  expect(both()).toEqual(Array(2).fill([true, false]));
});

describe('an answer of', () => {
  test.each([200, 201, 204, 299])('%i is a success', async (status) => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(status);
    await fanOut(services, memberCreated());
    await sendAll(sending);
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'DELIVERED', responseStatus: status }]);
  });

  test.each([301, 302, 307, 400, 401, 404, 422])('%i ends the delivery, unfollowed', async (status) => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(status, { location: `${receiver.url}/elsewhere` });
    await fanOut(services, memberCreated());
    await sendAll(sending);
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: 'FAILED', dueAt: null, responseStatus: status, error: `The endpoint answered ${status}.` },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test.each([429, 500, 503])('%i is tried again, with the same id and a fresh timestamp', async (status) => {
    const { secret } = await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(status);
    await fanOut(services, memberCreated());
    await sendAll(sending);
    const [delivery] = await deliveriesOf(ctx);
    expect(delivery).toMatchObject({ status: 'RETRYING', attempts: 1, responseStatus: status });
    expect(delivery!.dueAt!.getTime() - services.clock.now().getTime()).toBeLessThanOrEqual(10 * SECOND_MS);
    services.clock.advance(10 * SECOND_MS);
    receiver.answer = answering(200);
    await sendAll(sending);
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'DELIVERED', attempts: 2, error: null }]);
    const [first, second] = receiver.received;
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    const time = (headers: Record<string, unknown>) => Number(headers['webhook-timestamp']);
    expect(time(second!.headers) - time(first!.headers)).toBe(10);
    expect(isSignedWith(Webhook, secret, second!)).toBe(true);
    expect((await attemptsOf(delivery!.id)).map(({ responseStatus }) => responseStatus)).toEqual([
      status,
      200,
    ]);
  });

  test('429 with Retry-After waits at least that long', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(429, { 'retry-after': '3600' });
    await fanOut(services, memberCreated());
    await sendAll(sending);
    const [delivery] = await deliveriesOf(ctx);
    expect(delivery!.dueAt!.getTime() - services.clock.now().getTime()).toBe(HOUR_MS);
  });

  test('410 disables the endpoint, cancels what waits, and is published', async () => {
    const { id } = await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(410);
    await fanOut(services, ...Array.from({ length: 20 }, memberCreated));
    await sendAll(sending);
    const made = await deliveriesOf(ctx);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set(['FAILED', 'CANCELLED']));
    expect(await endpointRow(id)).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'The endpoint answered that it is gone (410).',
    });
    const published = await ctx.sql.query(
      `SELECT payload FROM platform.outbox WHERE workspace_id = $1 AND type = 'webhook.endpoint_disabled'`,
      [ctx.scope.workspaceId],
    );
    expect(published).toEqual([
      { payload: { webhookEndpointId: id, reason: 'The endpoint answered that it is gone (410).' } },
    ]);
    await fanOut(services, memberCreated());
    expect(await deliveriesOf(ctx)).toHaveLength(made.length);
  });
});

describe('an endpoint', () => {
  test('that hangs or drops the connection is tried again, and the log says why', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    await fanOut(services, memberCreated(), memberCreated());
    receiver.answer = (response) => {
      if (receiver.received.length % 2 === 1) response.destroy();
    };
    await sendAll(sending);
    const made = await deliveriesOf(ctx);
    expect(made.map(({ status }) => status)).toEqual(['RETRYING', 'RETRYING']);
    expect(made.map(({ error }) => error).toSorted()).toEqual([
      '127.0.0.1 did not answer in time.',
      'The request to 127.0.0.1 failed (UND_ERR_SOCKET).',
    ]);
  });

  test('of which the address is not public is refused, and not tried again', async () => {
    await givenReceiver(ctx, 'https://127.0.0.1:1/', ['member.created']);
    await fanOut(services, memberCreated());
    await sendAll(sending);
    expect(await deliveriesOf(ctx)).toMatchObject([
      { status: 'FAILED', responseStatus: null, error: 'The address of 127.0.0.1 is not public.' },
    ]);
  });

  test('that fails twelve times has a dead delivery', async () => {
    await givenReceiver(ctx, receiver.url, ['member.created']);
    receiver.answer = answering(500);
    await fanOut(services, memberCreated());
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await sendAll(sending);
      services.clock.advance(7 * HOUR_MS);
      await ctx.sql.query('UPDATE engagement.webhook_deliveries SET due_at = $1 WHERE due_at IS NOT NULL', [
        services.clock.now(),
      ]);
    }
    expect(await deliveriesOf(ctx)).toMatchObject([{ status: 'DEAD', attempts: 12, dueAt: null }]);
    expect(receiver.received).toHaveLength(12);
  });

  test('that has only failed for five days is disabled; one success in between starts the time anew', async () => {
    const { id } = await givenReceiver(ctx, receiver.url, ['member.created']);
    const failOnce = async (status: number) => {
      receiver.answer = answering(status);
      await fanOut(services, memberCreated());
      await sendAll(sending);
    };
    await failOnce(404);
    services.clock.advance(4 * DAY_MS);
    await failOnce(200);
    expect(await endpointRow(id)).toMatchObject({ failingSince: null, status: 'ACTIVE' });
    await failOnce(404);
    services.clock.advance(5 * DAY_MS - 1);
    await failOnce(404);
    expect(await endpointRow(id)).toMatchObject({ status: 'ACTIVE' });
    services.clock.advance(1);
    await failOnce(404);
    expect(await endpointRow(id)).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'All deliveries have failed for 5 days.',
    });
  });
});
