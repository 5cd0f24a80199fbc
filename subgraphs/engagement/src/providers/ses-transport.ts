import { Readable } from 'node:stream';
import type { SESv2Client, SESv2ClientConfig } from '@aws-sdk/client-sesv2';
import type { HttpClient } from '@loyalty/platform/outbound/http-client';
import {
  accepted,
  failed,
  type MailTransport,
  mailbox,
  type OutgoingMail,
  refusedWith,
  type Sender,
  senderOf,
  subjectOf,
  unreachable,
} from './transport.ts';

export interface SesAccount {
  readonly region: string;
  /** Set only if the installation allows a local endpoint. */
  readonly endpoint?: string | undefined;
  readonly configurationSet?: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Errors with status 400 that concern the account: other messages would fail, too. */
const ACCOUNT_ERRORS = new Set([
  'AccountSuspendedException',
  'LimitExceededException',
  'SendingPausedException',
]);

/** Sends through the workspace's own account at Amazon SES. */
export function sesTransport(account: SesAccount, sender: Sender): MailTransport {
  const host = account.endpoint
    ? new URL(account.endpoint).hostname
    : `email.${account.region}.amazonaws.com`;
  const clients = new WeakMap<HttpClient, SESv2Client>();
  return {
    isIdempotent: false,
    async send({ services: { http } }, mail, timeoutMs) {
      // Loaded on demand: the SDK is large, and most processes never need it.
      const { SESv2Client, SendEmailCommand } = await import('@aws-sdk/client-sesv2');
      const client = clients.get(http) ?? new SESv2Client(clientConfig(http, account));
      clients.set(http, client);
      try {
        const command = new SendEmailCommand(emailOf(mail, account, sender));
        const { MessageId, $metadata } = await client.send(command, { requestTimeout: timeoutMs });
        return accepted($metadata.httpStatusCode ?? 200, MessageId ?? null);
      } catch (error) {
        return failureOf(host, error);
      }
    },
  };
}

type SendEmailInput = ConstructorParameters<typeof import('@aws-sdk/client-sesv2').SendEmailCommand>[0];

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });

const emailOf = (mail: OutgoingMail, account: SesAccount, sender: Sender): SendEmailInput => ({
  FromEmailAddress: mailbox(senderOf(mail, sender)),
  Destination: { ToAddresses: [mail.to] },
  ...(mail.replyTo && { ReplyToAddresses: [mail.replyTo] }),
  Content: {
    Simple: {
      Subject: utf8(subjectOf(mail)),
      Body: { Html: utf8(mail.html), ...(mail.text && { Text: utf8(mail.text) }) },
      Headers: Object.entries(mail.headers).map(([Name, Value]) => ({ Name, Value })),
    },
  },
  EmailTags: [{ Name: 'message_id', Value: mail.messageId }],
  ...(account.configurationSet && { ConfigurationSetName: account.configurationSet }),
});

/** The SDK does not retry, because other providers follow. Its requests use the product's HTTP client. */
const clientConfig = (http: HttpClient, account: SesAccount): SESv2ClientConfig => ({
  region: account.region,
  credentials: { accessKeyId: account.accessKeyId, secretAccessKey: account.secretAccessKey },
  ...(account.endpoint && { endpoint: account.endpoint }),
  maxAttempts: 1,
  requestHandler: requestHandlerOf(http),
});

type Handler = Extract<SESv2Client['config']['requestHandler'], { handle: unknown }>;

/** Headers of the connection. The HTTP client sets them itself, with the signed values. */
const CONNECTION = new Set(['host', 'content-length']);

const ownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CONNECTION.has(name)));

const requestHandlerOf = (http: HttpClient): Handler => ({
  async handle({ protocol, hostname, port, path, headers, body }, options) {
    const { requestTimeout } = (options ?? {}) as { requestTimeout?: number };
    const response = await http.request({
      method: 'POST',
      url: `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`,
      headers: ownHeaders(headers),
      body: body as string | Uint8Array,
      ...(requestTimeout && { timeoutMs: requestTimeout }),
    });
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return {
      response: {
        statusCode: response.status,
        headers: Object.fromEntries(flat) as Record<string, string>,
        body: Readable.from([response.body]),
      },
    };
  },
  metadata: { handlerProtocol: 'http/1.1' },
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
});

function failureOf(host: string, error: unknown) {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (status === undefined) return unreachable(error);
  if (name && ACCOUNT_ERRORS.has(name))
    return failed(
      'UNAVAILABLE',
      status,
      `${host} answered ${status} (${name}): the account cannot send now.`,
    );
  // A successful status with an unknown body.
  if (status < 300) return accepted(status, null);
  return refusedWith(host, status, name);
}
