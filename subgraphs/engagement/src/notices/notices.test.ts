import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import { askOf } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { EventWebhook } from '@sendgrid/eventwebhook';
import { Webhook } from 'standardwebhooks';
import { addEmailProvider } from '../providers/email-providers.service.ts';
import { engagement } from '../subgraph.ts';
import {
  type Stored,
  sendgridKey,
  sentMessage,
  signedResend,
  signedSendgrid,
  stored,
} from './notices.fixture.ts';

const { services, ctx, newContext } = useServices();
const ask = askOf(engagement);

const secret = `whsec_${Buffer.from('a secret of twenty-four bytes.').toString('base64')}`;
const now = () => services.clock.now();

const RECEIVE = `mutation ($workspaceId: ID!, $providerId: ID!, $payload: String!, $signatureId: String,
  $signedAt: String, $signature: String) { receiveEmailNotice(workspaceId: $workspaceId,
  providerId: $providerId, payload: $payload, signatureId: $signatureId, signedAt: $signedAt,
  signature: $signature) }`;

let resend: string;
let sendgrid: string;
beforeEach(async () => {
  const own = { name: 'one', fromAddress: 'shop@example.org', secret: { apiKey: 'key' } };
  resend = (await addEmailProvider(ctx, { ...own, kind: 'RESEND', noticeKey: secret })).id;
  sendgrid = (await addEmailProvider(ctx, { ...own, kind: 'SENDGRID', noticeKey: sendgridKey })).id;
});

/** Sends a notice as the provider does: with the signature only. */
const receive = (providerId: string, signed: object, workspaceId = ctx.scope.workspaceId) =>
  ask(contextOf(services, anonymous), RECEIVE, { workspaceId, providerId, ...signed });

const accepted = { data: { receiveEmailNotice: true } };
const refused = { code: 'BAD_USER_INPUT', reason: 'SIGNATURE_INVALID' };
const untouched: Stored = { status: 'SENT', events: [], reasons: [] };

const eventOf = (type: string, data: object) =>
  JSON.stringify({ type, created_at: now().toISOString(), data: { email_id: 're-1', ...data } });
const PERMANENT = {
  bounce: { type: 'Permanent', subType: 'General', message: '550 5.1.1 no ada@example.com' },
};

describe('a notice of Resend', () => {
  test.each([
    ['email.delivered', {}, { status: 'DELIVERED', events: ['DELIVERED'], reasons: [] }],
    [
      'email.bounced',
      PERMANENT,
      { status: 'BOUNCED', events: ['BOUNCED permanent 5.1.1'], reasons: ['BOUNCED'] },
    ],
    [
      'email.bounced',
      { bounce: { type: 'Transient' } },
      { status: 'BOUNCED', events: ['BOUNCED transient'], reasons: [] },
    ],
    ['email.complained', {}, { status: 'COMPLAINED', events: ['COMPLAINED'], reasons: ['COMPLAINED'] }],
    ['email.opened', {}, untouched],
    ['email.delivery_delayed', {}, untouched],
  ])('%s with %j is noted, and suppresses where mail must end', async (type, data, expected) => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: resend, messageId: 're-1' });
    expect(await receive(resend, signedResend(secret, eventOf(type, data), now()))).toMatchObject(accepted);
    expect(await stored(ctx, message)).toEqual(expected);
  });

  test('finds its message by the id that was sent along, whatever the provider calls it', async () => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: resend, messageId: 'unknown yet' });
    const tags = { message_id: message.id };
    await receive(resend, signedResend(secret, eventOf('email.bounced', { tags }), now()));
    expect(await stored(ctx, message)).toMatchObject({ status: 'BOUNCED', reasons: ['BOUNCED'] });
  });

  test('counts once, however often it comes and though ten come at once', async () => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: resend, messageId: 're-1' });
    const signed = signedResend(secret, eventOf('email.bounced', PERMANENT), now());
    const answers = await Promise.all(Array.from({ length: 10 }, () => receive(resend, signed)));
    for (const answer of answers) expect(answer).toMatchObject(accepted);
    expect((await stored(ctx, message)).events).toHaveLength(1);
    const [{ count } = { count: 0 }] = await ctx.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM engagement.provider_notices WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(count).toBe(1);
  });

  test('about mail that others sent through the account changes nothing', async () => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: resend, messageId: 're-1' });
    const other = { email_id: 're-2', to: ['ada@example.com'], ...PERMANENT };
    const signed = signedResend(secret, eventOf('email.bounced', other), now());
    expect(await receive(resend, signed)).toMatchObject(accepted);
    expect(await stored(ctx, message)).toEqual(untouched);
  });

  test('cannot name a message of another workspace', async () => {
    const elsewhere = newContext();
    const message = await sentMessage(elsewhere, 'ada@example.com', { id: resend, messageId: 're-1' });
    const data = { ...PERMANENT, tags: { message_id: message.id } };
    await receive(resend, signedResend(secret, eventOf('email.bounced', data), now()));
    expect(await stored(elsewhere, message)).toEqual(untouched);
  });

  test('signs as the library for Standard Webhooks does', () => {
    const at = new Date();
    const { payload, signatureId, signedAt, signature } = signedResend(secret, '{"a":1}', at);
    const headers = {
      'webhook-id': signatureId,
      'webhook-timestamp': signedAt,
      'webhook-signature': signature,
    };
    expect(new Webhook(secret).verify(payload, headers)).toEqual({ a: 1 });
  });
});

describe('a notice is refused, and changes nothing,', () => {
  const other = `whsec_${Buffer.from('another secret of 24 bytes').toString('base64')}`;
  const at = (ms: number) => new Date(now().getTime() + ms);
  const bounced = () => eventOf('email.bounced', PERMANENT);
  const signed = () => signedResend(secret, bounced(), now());
  test.each([
    ['with the signature of another secret', () => signedResend(other, bounced(), now())],
    ['with a changed body', () => ({ ...signed(), payload: `${bounced()} ` })],
    ['with another id', () => ({ ...signed(), signatureId: 'msg_2' })],
    ['without a signature', () => ({ payload: bounced() })],
    ['more than five minutes after it was signed', () => signedResend(secret, bounced(), at(-301_000))],
    ['more than five minutes before it is signed', () => signedResend(secret, bounced(), at(301_000))],
    ['with a time that is none', () => ({ ...signed(), signedAt: '1e9' })],
  ])('%s', async (_, make) => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: resend, messageId: 're-1' });
    expect(await receive(resend, make())).toMatchObject(refused);
    expect(await stored(ctx, message)).toEqual(untouched);
  });

  test('for an unknown provider, one of another workspace, and one without a key', async () => {
    expect(await receive('0195a0de-0000-7000-8000-000000000001', signed())).toMatchObject(refused);
    expect(await receive(resend, signed(), newContext().scope.workspaceId)).toMatchObject(refused);
    const input = {
      name: 'x',
      kind: 'RESEND',
      fromAddress: 'a@example.org',
      secret: { apiKey: 'k' },
    } as const;
    const { id } = await addEmailProvider(ctx, input);
    expect(await receive(id, signed())).toMatchObject(refused);
  });

  test('if what is signed is no JSON', async () => {
    expect(await receive(resend, signedResend(secret, 'bounced', now()))).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'payload must be JSON.',
    });
  });
});

describe('notices of SendGrid', () => {
  const event = (message: { id: string }, part: object) => ({
    email: 'ada@example.com',
    timestamp: Math.floor(now().getTime() / 1_000) - 60,
    message_id: message.id,
    ...part,
  });

  test('come many in one body, each for its own message', async () => {
    const sent = (email: string) => sentMessage(ctx, email, { id: sendgrid, messageId: email });
    const [ada, bo, kim, zoe] = [
      await sent('ada@example.com'),
      await sent('bo@example.com'),
      await sent('kim@example.com'),
      await sent('zoe@example.com'),
    ];
    const events = [
      event(ada, { event: 'delivered', sg_event_id: 'e1' }),
      event(bo, { event: 'bounce', type: 'bounce', status: '5.1.1', sg_event_id: 'e2' }),
      event(kim, { event: 'bounce', type: 'blocked', status: '4.2.2', sg_event_id: 'e3' }),
      event(zoe, { event: 'spamreport', sg_event_id: 'e4' }),
      event(ada, { event: 'open', sg_event_id: 'e5' }),
      { ...event(ada, { event: 'bounce', sg_event_id: 'e6' }), message_id: undefined },
    ];
    expect(await receive(sendgrid, signedSendgrid(events, now()))).toMatchObject(accepted);
    expect(await receive(sendgrid, signedSendgrid(events, now()))).toMatchObject(accepted);
    expect(await stored(ctx, ada)).toEqual({ status: 'DELIVERED', events: ['DELIVERED'], reasons: [] });
    expect(await stored(ctx, bo)).toMatchObject({
      events: ['BOUNCED permanent 5.1.1'],
      reasons: ['BOUNCED'],
    });
    expect(await stored(ctx, kim)).toMatchObject({ events: ['BOUNCED transient 4.2.2'], reasons: [] });
    expect(await stored(ctx, zoe)).toMatchObject({ status: 'COMPLAINED', reasons: ['COMPLAINED'] });
  });

  test('are refused with the signature of another key, and after five minutes', async () => {
    const message = await sentMessage(ctx, 'ada@example.com', { id: sendgrid, messageId: 'x' });
    const events = [event(message, { event: 'bounce', type: 'bounce', sg_event_id: 'e1' })];
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    expect(await receive(sendgrid, signedSendgrid(events, now(), privateKey))).toMatchObject(refused);
    const old = new Date(now().getTime() - 301_000);
    expect(await receive(sendgrid, signedSendgrid(events, old))).toMatchObject(refused);
    const garbled = { ...signedSendgrid(events, now()), signature: 'AAAA' };
    expect(await receive(sendgrid, garbled)).toMatchObject(refused);
    expect(await stored(ctx, message)).toEqual(untouched);
  });

  test('are signed as the library of SendGrid checks it', () => {
    const { payload, signedAt, signature } = signedSendgrid([{ a: 'Zoë' }], now());
    const webhook = new EventWebhook();
    const key = webhook.convertPublicKeyToECDSA(sendgridKey);
    expect(webhook.verifySignature(key, payload, signature, signedAt)).toBe(true);
  });

  test('that are no list are refused', async () => {
    expect(await receive(sendgrid, signedSendgrid({ event: 'bounce' }, now()))).toMatchObject({
      message: 'payload must be a list of events.',
    });
  });
});
