import { postMail } from './http-transport.ts';
import { senderOf, subjectOf } from './sender.ts';
import type { MailTransport, Sender } from './transport.ts';

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
            // The order is SendGrid's: plain text comes first.
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
