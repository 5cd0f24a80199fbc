import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
const PATH = '/api/v2/transactional/send';
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'transactional');
  key = (await stack.key(token, ['transactional:send'])).secret;
});

const mail = {
  to: 'ada@example.com',
  subject: 'Hello',
  html: '<p>Hello {{ data.name }}</p>',
  data: { name: 'Ada' },
};
const send = (body: Record<string, unknown>, as = key) => stack.rest('POST', PATH, { as, body });

describe('POST /transactional/send', () => {
  test('answers 202, and the same key and body get the same answer', async () => {
    const body = { ...mail, idempotency_key: 'order-1' };
    const first = await send(body);
    expect({ status: first.status, body: first.body }).toEqual({
      status: 202,
      body: { data: { id: shapes.uuid, status: 'queued', reused: false } },
    });
    const again = await send(body);
    expect(again.status).toBe(202);
    expect(again.body).toEqual({ data: { ...first.body.data, reused: true } });
    expectError(await send({ ...body, subject: 'Bye' }), 409, 'IDEMPOTENCY_KEY_REUSED', 'another message');
  });

  test('an attachment, and any other unknown field, is refused by name', async () => {
    expectError(await send({ ...mail, attachments: [] }), 400, 'UNKNOWN_FIELD', 'attachments');
  });

  test('a value that the message lacks is named', async () => {
    expectError(await send({ ...mail, data: {} }), 400, 'RENDER_FAILED', 'data.name');
  });

  test('a key without the scope, and a workspace without the module, are refused', async () => {
    const other = (await stack.key(token, ['members:write'])).secret;
    expectError(await send(mail, other), 403, 'SCOPE_MISSING', 'transactional:send');
    const plain = await stack.signUp();
    const theirs = (await stack.key(plain.token, ['transactional:send'])).secret;
    expectError(await send(mail, theirs), 403, 'MODULE_DISABLED', 'transactional');
  });
});
