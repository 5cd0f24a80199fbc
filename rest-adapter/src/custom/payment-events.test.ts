import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type Asked, appOver } from '../adapter.fixture.ts';
import { rows } from '../table/rows.ts';
import { paymentEventsEndpoint } from './payment-events.ts';

const forged = {
  message: 'signature does not fit the payload, or is too old.',
  extensions: { code: 'BAD_USER_INPUT', reason: 'SIGNATURE_INVALID', field: 'signature' },
};

let app: FastifyInstance;
let asked: Asked[];
let refusing: FastifyInstance;
beforeAll(async () => {
  ({ app, asked } = await appOver({ ReceivePaymentEvent: { data: { receivePaymentEvent: true } } }));
  ({ app: refusing } = await appOver({ ReceivePaymentEvent: { errors: [forged] } }));
});
afterAll(async () => {
  await app.close();
  await refusing.close();
});

const send = (payload: string, headers: Record<string, string> = {}, to = app) =>
  to.inject({
    method: paymentEventsEndpoint.method,
    url: paymentEventsEndpoint.path,
    payload,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': 't=1,v1=ab',
      ...headers,
    },
  });

test('an event reaches the graph with its signed bytes unchanged, without another credential', async () => {
  const payload = '{ "id" : "evt_1",\n  "name":"Zoë \\u00e9" }\n';
  const response = await send(payload);
  expect([response.statusCode, response.json()]).toEqual([200, { received: true }]);
  expect(asked.at(-1)).toEqual({
    operationName: 'ReceivePaymentEvent',
    variables: { payload, signature: 't=1,v1=ab' },
  });
});

test('a body of any media type and form is accepted', async () => {
  expect((await send('not JSON', { 'content-type': 'text/plain' })).statusCode).toBe(200);
  expect(asked.at(-1)?.variables).toMatchObject({ payload: 'not JSON' });
});

test('a signature that the graph refuses is 400', async () => {
  const response = await send('{}', {}, refusing);
  expect([response.statusCode, response.headers['x-error-code'], response.json()]).toEqual([
    400,
    'SIGNATURE_INVALID',
    { error: 'signature does not fit the payload, or is too old.' },
  ]);
});

test('a body of more than 256 KiB is 413 and does not reach the graph', async () => {
  const count = asked.length;
  expect((await send('x'.repeat(256 * 1024))).statusCode).toBe(200);
  expect((await send('x'.repeat(256 * 1024 + 1))).statusCode).toBe(413);
  expect(asked).toHaveLength(count + 1);
});

test('a method other than POST is 405', async () => {
  const response = await app.inject({ method: 'GET', url: paymentEventsEndpoint.path });
  expect([response.statusCode, response.headers['allow']]).toEqual([405, 'POST']);
});

test('JSON stays the only media type of the documented paths', async () => {
  const headers = { authorization: 'Bearer key', 'content-type': 'text/plain' };
  const response = await app.inject({ method: 'POST', url: '/api/v2/members', payload: '{}', headers });
  expect(response.statusCode).toBe(415);
});

test('the path is not a row of the REST table', () => {
  expect(rows.map(({ path }) => path)).not.toContain(paymentEventsEndpoint.path);
});
