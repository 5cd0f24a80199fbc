import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type Asked, appOver } from '../adapter.fixture.ts';
import { rows } from '../table/rows.ts';
import { emailNoticesEndpoint } from './email-notices.ts';

const forged = {
  message: 'signature does not fit the notice, or is too old.',
  extensions: { code: 'BAD_USER_INPUT', reason: 'SIGNATURE_INVALID', field: 'signature' },
};
const workspaceId = '0195a0de-0000-7000-8000-000000000001';
const providerId = '0195a0de-0000-7000-8000-000000000002';

let app: FastifyInstance;
let asked: Asked[];
let refusing: FastifyInstance;
beforeAll(async () => {
  ({ app, asked } = await appOver({ ReceiveEmailNotice: { data: { receiveEmailNotice: true } } }));
  ({ app: refusing } = await appOver({ ReceiveEmailNotice: { errors: [forged] } }));
});
afterAll(async () => {
  await app.close();
  await refusing.close();
});

const send = (payload: string, headers: Record<string, string> = {}, to = app) =>
  to.inject({
    method: emailNoticesEndpoint.method,
    url: `/api/email-notices/${workspaceId}/${providerId}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  });

test.each([
  ['svix-id', 'svix-timestamp', 'svix-signature'],
  ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
])('a notice reaches the graph with its signed bytes unchanged, and with %s, %s and %s', async (...names) => {
  const payload = '{ "type" : "email.bounced",\n "name":"Zoë \\u00e9" }\n';
  const headers = { [names[0]]: 'msg_1', [names[1]]: '1700000000', [names[2]]: 'v1,ab' };
  const response = await send(payload, headers);
  expect([response.statusCode, response.json()]).toEqual([200, { received: true }]);
  expect(asked.at(-1)).toEqual({
    operationName: 'ReceiveEmailNotice',
    variables: {
      workspaceId,
      providerId,
      payload,
      signatureId: 'msg_1',
      signedAt: '1700000000',
      signature: 'v1,ab',
    },
  });
});

test('the headers of SendGrid are passed on; a notice of SNS needs no headers', async () => {
  await send('[]', {
    'x-twilio-email-event-webhook-timestamp': '7',
    'x-twilio-email-event-webhook-signature': 'MEU=',
  });
  expect(asked.at(-1)?.variables).toEqual({
    workspaceId,
    providerId,
    payload: '[]',
    signedAt: '7',
    signature: 'MEU=',
  });
  expect((await send('{}', { 'content-type': 'text/plain; charset=UTF-8' })).statusCode).toBe(200);
  expect(asked.at(-1)?.variables).toEqual({ workspaceId, providerId, payload: '{}' });
});

test('a signature that the graph refuses is 400', async () => {
  const response = await send('{}', {}, refusing);
  expect([response.statusCode, response.headers['x-error-code'], response.json()]).toEqual([
    400,
    'SIGNATURE_INVALID',
    { error: 'signature does not fit the notice, or is too old.' },
  ]);
});

test('a body of more than 1 MiB is 413 and does not reach the graph', async () => {
  const count = asked.length;
  expect((await send('x'.repeat(1024 * 1024))).statusCode).toBe(200);
  expect((await send('x'.repeat(1024 * 1024 + 1))).statusCode).toBe(413);
  expect(asked).toHaveLength(count + 1);
});

test('a method other than POST is 405', async () => {
  const url = `/api/email-notices/${workspaceId}/${providerId}`;
  const response = await app.inject({ method: 'GET', url });
  expect([response.statusCode, response.headers['allow']]).toEqual([405, 'POST']);
});

test('the path is not a row of the REST table', () => {
  expect(rows.map(({ path }) => path)).not.toContain(emailNoticesEndpoint.path);
});
