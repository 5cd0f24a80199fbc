import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { anonymous } from '@loyalty/platform/base/caller';
import type { HttpClient } from '@loyalty/platform/outbound/http-client';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { addEmailProvider } from '../providers/email-providers.service.ts';
import { type FakeProvider, fakeProvider, reaching } from '../providers/providers.fixture.ts';
import { certificate, certificateUrl, sentMessage, snsMessage, snsTopic, stored } from './notices.fixture.ts';
import { receiveEmailNotice } from './notices.service.ts';

const { services, ctx } = useServices();
const now = () => services.clock.now();

/** Replaces Amazon's servers: their host names resolve to it. */
let amazon: FakeProvider;
let reachable: ReturnType<typeof reaching<typeof services>>;
let http: HttpClient;
const asked: string[] = [];
beforeAll(async () => {
  amazon = await fakeProvider();
  reachable = reaching(services, [amazon], [], 1_000);
  http = {
    close: async () => {},
    request: (request) => {
      asked.push(String(request.url));
      return reachable.http.request({ ...request, url: `${amazon.url}${new URL(request.url).pathname}` });
    },
  };
});
afterAll(async () => {
  await reachable.close();
  await amazon.close();
});

let provider: string;
beforeEach(async () => {
  asked.length = 0;
  amazon.behaviour = 200;
  amazon.answer = certificate();
  const added = await addEmailProvider(ctx, {
    name: 'ses',
    kind: 'SES',
    fromAddress: 'shop@example.org',
    config: { region: 'eu-west-1' },
    secret: { accessKeyId: 'AKID', secretAccessKey: 'secret' },
    noticeKey: snsTopic,
  });
  provider = added.id;
});

const receive = (payload: string) =>
  receiveEmailNotice(contextOf({ ...services, http }, anonymous), {
    workspaceId: ctx.scope.workspaceId,
    providerId: provider,
    payload,
  });

const notification = (part: Record<string, string> = {}, notice: object = bounce) =>
  snsMessage({ Message: JSON.stringify(notice), ...part }, now());

const bounce = {
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [
      { emailAddress: 'ada@example.com', status: '5.1.1', diagnosticCode: 'no ada@example.com' },
    ],
    timestamp: '2026-03-02T09:59:00.000Z',
  },
  mail: { messageId: 'ses-1' },
};
const untouched = { status: 'SENT', events: [], reasons: [] };
const sent = () => sentMessage(ctx, 'ada@example.com', { id: provider, messageId: 'ses-1' });

describe('a notice of SES', () => {
  test.each(['1', '2'])(
    'with a signature of version %s suppresses what bounced for good',
    async (version) => {
      const message = await sent();
      await receive(notification({ SignatureVersion: version, Subject: 'Amazon SES' }));
      await receive(notification({ SignatureVersion: version, Subject: 'Amazon SES' }));
      expect(await stored(ctx, message)).toEqual({
        status: 'BOUNCED',
        events: ['BOUNCED permanent 5.1.1'],
        reasons: ['BOUNCED'],
      });
    },
  );

  test('of a configuration set finds the message by its tag', async () => {
    const message = await sent();
    const mail = { messageId: 'another', tags: { message_id: [message.id] } };
    await receive(notification({}, { eventType: 'Complaint', complaint: {}, mail }));
    expect(await stored(ctx, message)).toMatchObject({ status: 'COMPLAINED', reasons: ['COMPLAINED'] });
  });

  test('of a full mailbox, and of a delivery, suppresses nothing', async () => {
    const message = await sent();
    const { mail } = bounce;
    await receive(notification({ MessageId: 'a' }, { notificationType: 'Delivery', delivery: {}, mail }));
    expect(await stored(ctx, message)).toMatchObject({ status: 'DELIVERED', reasons: [] });
    const soft = { ...bounce, bounce: { bounceType: 'Transient' } };
    await receive(notification({ MessageId: 'b' }, soft));
    expect(await stored(ctx, message)).toMatchObject({ reasons: [] });
  });

  test.each([
    ['a changed message', () => notification().replace('Permanent', 'Transient')],
    ['another topic', () => notification({ TopicArn: 'arn:aws:sns:eu-west-1:999999999999:bounces' })],
    ['a signature of more than an hour ago', () => snsMessage({}, new Date(now().getTime() - 66 * 60_000))],
    [
      'a certificate of another host',
      () => notification({ SigningCertURL: 'https://sns.example.com/a.pem' }),
    ],
    [
      'a certificate of a host that looks alike',
      () => notification({ SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.example.com/a.pem' }),
    ],
    [
      'a certificate of what anybody can store at Amazon',
      () => notification({ SigningCertURL: 'https://bucket.s3.amazonaws.com/a.pem' }),
    ],
    [
      'a certificate without TLS',
      () => notification({ SigningCertURL: certificateUrl.replace('https', 'http') }),
    ],
    ['an unknown version of signatures', () => notification({ SignatureVersion: '3' })],
  ])('with %s is refused', async (_, make) => {
    const message = await sent();
    await expect(receive(make())).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    expect(await stored(ctx, message)).toEqual(untouched);
    for (const url of asked) expect(url).toBe(certificateUrl);
  });

  test('is to be sent again while its certificate cannot be read', async () => {
    const message = await sent();
    const SigningCertURL = certificateUrl.replace('ab12', 'cd34');
    amazon.behaviour = 500;
    await expect(receive(notification({ SigningCertURL }))).rejects.toMatchObject({
      code: 'NOTICE_UNVERIFIED',
    });
    amazon.behaviour = 200;
    amazon.answer = 'no certificate';
    await expect(receive(notification({ SigningCertURL }))).rejects.toMatchObject({
      code: 'NOTICE_UNVERIFIED',
    });
    amazon.answer = certificate();
    await receive(notification({ SigningCertURL }));
    expect(await stored(ctx, message)).toMatchObject({ status: 'BOUNCED' });
    await receive(notification({ SigningCertURL, MessageId: 'sns-2' }));
    expect(asked).toHaveLength(3);
  });
});

describe('a subscription', () => {
  const confirmation = (SubscribeURL: string) =>
    snsMessage({ Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL }, now());
  const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';

  test('of the topic is confirmed at Amazon', async () => {
    await receive(confirmation(url));
    expect(asked.at(-1)).toBe(url);
  });

  test('is confirmed nowhere else', async () => {
    const elsewhere = 'https://169.254.169.254/latest';
    await expect(receive(confirmation(elsewhere))).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    expect(asked).not.toContain(elsewhere);
  });

  test('that Amazon does not confirm is to be sent again', async () => {
    await receive(confirmation(url));
    amazon.behaviour = 403;
    await expect(receive(confirmation(url))).rejects.toMatchObject({ code: 'NOTICE_UNVERIFIED' });
  });
});

test.each(['{}', '[]', '{"Type":"Other"}', '{"Type":"toString"}', 'x'])(
  '%s is no message',
  async (payload) => {
    await expect(receive(payload)).rejects.toMatchObject({ category: 'BAD_USER_INPUT' });
    expect(asked).toEqual([]);
  },
);
