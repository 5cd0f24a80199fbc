import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { customRestTransport, resendTransport, sendgridTransport } from './key-transports.ts';
import { type FakeProvider, fakeProvider, mailOf, type Received, reaching } from './providers.fixture.ts';
import { sesTransport } from './ses-transport.ts';
import type { MailTransport, Sent } from './transport.ts';

const { services } = useServices();

const SECRET = 'sk_do_not_show_this';
const sender = { address: 'shop@example.org', name: 'Café Ribeira' };
const kinds = ['RESEND', 'SENDGRID', 'SES', 'CUSTOM_REST'] as const;

let fake: FakeProvider;
let reachable: ReturnType<typeof reaching<typeof services>>;
let transports: Record<(typeof kinds)[number], MailTransport>;
beforeAll(async () => {
  fake = await fakeProvider();
  reachable = reaching(services, [fake]);
  const rest = {
    endpoint: `${fake.url}/mail?tenant=7`,
    authHeader: 'X-Api-Key',
    authScheme: 'Token',
    toField: 'recipient',
    fromField: 'sender',
    subjectField: 'title',
    htmlField: 'content',
  };
  const account = { region: 'eu-west-1', endpoint: fake.url, accessKeyId: 'AKID', secretAccessKey: SECRET };
  transports = {
    RESEND: resendTransport(fake.url, SECRET, sender),
    SENDGRID: sendgridTransport(fake.url, SECRET, sender),
    SES: sesTransport(account, sender),
    CUSTOM_REST: customRestTransport(rest, SECRET, sender),
  };
});
afterAll(async () => {
  await reachable.close();
  await fake.close();
});
beforeEach(() => {
  Object.assign(fake, { behaviour: 200, answer: { id: 'p-1' }, headers: {} });
  fake.received.length = 0;
});

const send = (kind: (typeof kinds)[number], mail = mailOf(), timeoutMs = 1_000): Promise<Sent> =>
  transports[kind].send(contextOf(reachable), mail, timeoutMs);
const bodyOf = ({ body }: Received) => JSON.parse(body) as unknown;
const from = '=?UTF-8?B?Q2Fmw6kgUmliZWlyYQ==?= <shop@example.org>';

describe('a message reaches', () => {
  test('Resend with its key, its idempotency key and the id of the message', async () => {
    expect(await send('RESEND', mailOf({ replyTo: 'help@example.org' }))).toEqual({
      outcome: 'ACCEPTED',
      responseStatus: 200,
      error: null,
      providerMessageId: 'p-1',
    });
    expect(fake.received[0]).toMatchObject({
      method: 'POST',
      path: '/emails',
      headers: { authorization: `Bearer ${SECRET}`, 'idempotency-key': 'key-1' },
    });
    expect(bodyOf(fake.received[0]!)).toEqual({
      from,
      to: ['ada@example.com'],
      reply_to: 'help@example.org',
      subject: 'Grüße',
      html: '<p>Hello Ada</p>',
      text: 'Hello Ada',
      headers: { 'List-Unsubscribe': '<https://loyalty.example.com/u>' },
      tags: [{ name: 'message_id', value: mailOf().messageId }],
    });
    expect(transports.RESEND.isIdempotent).toBe(true);
  });

  test('SendGrid with its key and the id of the message, tracked by nobody else', async () => {
    Object.assign(fake, { behaviour: 202, answer: '', headers: { 'x-message-id': 'sg-1' } });
    expect(await send('SENDGRID')).toMatchObject({ outcome: 'ACCEPTED', providerMessageId: 'sg-1' });
    expect(fake.received[0]).toMatchObject({
      path: '/v3/mail/send',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect(bodyOf(fake.received[0]!)).toEqual({
      personalizations: [
        { to: [{ email: 'ada@example.com' }], custom_args: { message_id: mailOf().messageId } },
      ],
      from: { email: 'shop@example.org', name: 'Café Ribeira' },
      subject: 'Grüße',
      content: [
        { type: 'text/plain', value: 'Hello Ada' },
        { type: 'text/html', value: '<p>Hello Ada</p>' },
      ],
      headers: { 'List-Unsubscribe': '<https://loyalty.example.com/u>' },
      tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
    });
    expect(transports.SENDGRID.isIdempotent).toBe(false);
  });

  test('a provider of one JSON object under the names that it was given, and no others', async () => {
    expect(await send('CUSTOM_REST')).toMatchObject({ outcome: 'ACCEPTED', providerMessageId: 'p-1' });
    expect(fake.received[0]).toMatchObject({
      path: '/mail?tenant=7',
      headers: { 'x-api-key': `Token ${SECRET}`, 'content-type': 'application/json' },
    });
    expect(bodyOf(fake.received[0]!)).toEqual({
      recipient: 'ada@example.com',
      sender: from,
      title: 'Grüße',
      content: '<p>Hello Ada</p>',
    });
  });

  test('SES with a signature of version 4 that holds for what arrives', async () => {
    fake.answer = { MessageId: 'ses-1' };
    expect(await send('SES')).toMatchObject({ outcome: 'ACCEPTED', providerMessageId: 'ses-1' });
    const [request] = fake.received;
    expect(request).toMatchObject({ method: 'POST', path: '/v2/email/outbound-emails' });
    expect(request!.headers['authorization']).toContain('Credential=AKID/');
    expect(signatureOf(request!)).toBe(/Signature=(\w+)/.exec(request!.headers['authorization']!)?.[1]);
    expect(bodyOf(request!)).toMatchObject({
      FromEmailAddress: from,
      Destination: { ToAddresses: ['ada@example.com'] },
      Content: {
        Simple: {
          Subject: { Data: 'Grüße', Charset: 'UTF-8' },
          Body: { Html: { Data: '<p>Hello Ada</p>' }, Text: { Data: 'Hello Ada' } },
          Headers: [{ Name: 'List-Unsubscribe', Value: '<https://loyalty.example.com/u>' }],
        },
      },
      EmailTags: [{ Name: 'message_id', Value: mailOf().messageId }],
    });
  });
});

/** AWS Signature Version 4, computed from the received request. */
function signatureOf({ method, path, headers, body }: Received): string {
  const [, day, region, service, names] =
    /Credential=\w+\/(\d+)\/([\w-]+)\/(\w+)\/aws4_request, SignedHeaders=([\w;-]+)/.exec(
      headers['authorization']!,
    )!;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const canonical = [
    method,
    path,
    '',
    ...names!.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    hash(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n');
  const key = [region!, service!, 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, day!));
  return hmac(key, toSign).toString('hex');
}

describe.each(kinds)('%s', (kind) => {
  test.each([
    [400, 'REJECTED'],
    [401, 'CREDENTIALS'],
    [403, 'CREDENTIALS'],
    [422, 'REJECTED'],
    [429, 'UNAVAILABLE'],
    [302, 'UNAVAILABLE'],
    [500, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
  ] as const)('that answers %s is %s', async (status, outcome) => {
    fake.behaviour = status;
    fake.answer = { message: `${SECRET} is wrong for ada@example.com` };
    const sent = await send(kind);
    expect(sent).toMatchObject({ outcome, responseStatus: status, providerMessageId: null });
    expect(sent.error).toContain(`127.0.0.1 answered ${status}`);
    expect(sent.error).not.toMatch(/do_not_show|ada@/);
    expect(fake.received).toHaveLength(1);
  });

  test.each([
    ['hangs', /did not answer in time/],
    ['trickles', /did not answer in time/],
    ['drops', /failed/],
  ] as const)('that %s is unavailable', async (behaviour, error) => {
    fake.behaviour = behaviour;
    const sent = await send(kind, mailOf(), 150);
    expect(sent).toMatchObject({ outcome: 'UNAVAILABLE', responseStatus: null });
    expect(sent.error).toMatch(error);
  });
});

test('an answer of five million bytes counts, and is not read to its end', async () => {
  fake.behaviour = 'floods';
  expect(await send('RESEND')).toMatchObject({ outcome: 'ACCEPTED', providerMessageId: null });
});

test('an address that is not allowed is unavailable, and nothing is sent', async () => {
  const closed = contextOf(services);
  const sent = await transports.RESEND.send(closed, mailOf(), 1_000);
  expect(sent).toMatchObject({ outcome: 'UNAVAILABLE', error: 'The URL must start with https://.' });
  const ses = await transports.SES.send(closed, mailOf(), 1_000);
  expect(ses).toMatchObject({ outcome: 'UNAVAILABLE', error: 'The URL must start with https://.' });
  expect(fake.received).toEqual([]);
});

test('the name of an error is shown where it is a plain name', async () => {
  fake.behaviour = 403;
  fake.answer = { name: 'invalid_from_address' };
  expect((await send('RESEND')).error).toBe(
    '127.0.0.1 answered 403 (invalid_from_address): it refused the credentials.',
  );
  fake.answer = { name: 'no ada@example.com here' };
  expect((await send('RESEND')).error).toBe('127.0.0.1 answered 403: it refused the credentials.');
});

test('an account of SES that is paused is no fault of the message', async () => {
  fake.behaviour = 400;
  fake.headers = { 'x-amzn-errortype': 'SendingPausedException' };
  expect(await send('SES')).toMatchObject({ outcome: 'UNAVAILABLE', responseStatus: 400 });
  fake.headers = { 'x-amzn-errortype': 'MessageRejected' };
  expect(await send('SES')).toMatchObject({ outcome: 'REJECTED', responseStatus: 400 });
});

test('a line break in a subject adds no header', async () => {
  await send('CUSTOM_REST', mailOf({ subject: 'Hello\r\nBcc: eve@example.org' }));
  expect(bodyOf(fake.received[0]!)).toMatchObject({ title: 'Hello Bcc: eve@example.org' });
});
