import { type MailTransport, mailbox, postMail, type Sender, senderOf, subjectOf } from './transport.ts';

/** The API of Resend: https://resend.com/docs/api-reference/emails/send-email */
export function resendTransport(endpoint: string, apiKey: string, sender: Sender): MailTransport {
  return {
    isIdempotent: true,
    send: (ctx, mail, timeoutMs) =>
      postMail(
        ctx,
        {
          url: `${endpoint}/emails`,
          headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': mail.idempotencyKey },
          body: {
            from: mailbox(senderOf(mail, sender)),
            to: [mail.to],
            subject: subjectOf(mail),
            html: mail.html,
            text: mail.text,
            ...(mail.replyTo && { reply_to: mail.replyTo }),
            headers: mail.headers,
            tags: [{ name: 'message_id', value: mail.messageId }],
          },
        },
        { messageId: ({ id }) => id, errorCode: ({ name }) => name },
        timeoutMs,
      ),
  };
}

/** The API of SendGrid: https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export function sendgridTransport(endpoint: string, apiKey: string, sender: Sender): MailTransport {
  return {
    isIdempotent: false,
    send: (ctx, mail, timeoutMs) => {
      const { address, name } = senderOf(mail, sender);
      return postMail(
        ctx,
        {
          url: `${endpoint}/v3/mail/send`,
          headers: { authorization: `Bearer ${apiKey}` },
          body: {
            personalizations: [{ to: [{ email: mail.to }], custom_args: { message_id: mail.messageId } }],
            from: { email: address, ...(name && { name }) },
            ...(mail.replyTo && { reply_to: { email: mail.replyTo } }),
            subject: subjectOf(mail),
            // SendGrid requires that plain text comes first.
            content: [
              ...(mail.text ? [{ type: 'text/plain', value: mail.text }] : []),
              { type: 'text/html', value: mail.html },
            ],
            ...(Object.keys(mail.headers).length > 0 && { headers: mail.headers }),
            // Opens and clicks are counted by the product itself.
            tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
          },
        },
        { messageId: (_, { headers }) => headers['x-message-id'] },
        timeoutMs,
      );
    },
  };
}

/** The JSON fields of a provider for the parts of a message. */
export interface RestMapping {
  readonly endpoint: string;
  readonly authHeader: string;
  /** Prefix of the key, such as `Bearer`; empty if the header contains only the key. */
  readonly authScheme: string;
  readonly toField: string;
  readonly fromField: string;
  readonly subjectField: string;
  readonly htmlField: string;
  /** Parts without a field are omitted. */
  readonly textField?: string | undefined;
  readonly replyToField?: string | undefined;
  /** Field for an object with further headers, such as List-Unsubscribe. */
  readonly headersField?: string | undefined;
}

/** A provider that accepts a message as one JSON object. */
export function customRestTransport(mapping: RestMapping, apiKey: string, sender: Sender): MailTransport {
  const { endpoint, authHeader, authScheme } = mapping;
  return {
    // The provider receives the idempotency key, but it is unknown whether it uses it.
    isIdempotent: false,
    send: (ctx, mail, timeoutMs) => {
      const fields: [string | undefined, unknown][] = [
        [mapping.toField, mail.to],
        [mapping.fromField, mailbox(senderOf(mail, sender))],
        [mapping.subjectField, subjectOf(mail)],
        [mapping.htmlField, mail.html],
        [mapping.textField, mail.text],
        [mapping.replyToField, mail.replyTo],
        [mapping.headersField, mail.headers],
      ];
      const body = Object.fromEntries(fields.filter(([name, value]) => name && value !== undefined));
      const headers = {
        'idempotency-key': mail.idempotencyKey,
        [authHeader.toLowerCase()]: authScheme ? `${authScheme} ${apiKey}` : apiKey,
      };
      const messageId = (json: Readonly<Record<string, unknown>>) =>
        json['id'] ?? json['messageId'] ?? json['message_id'];
      return postMail(ctx, { url: endpoint, headers, body }, { messageId }, timeoutMs);
    },
  };
}
