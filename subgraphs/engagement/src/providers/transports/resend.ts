import { postMail } from './http-transport.ts';
import { mailbox, senderOf, subjectOf } from './sender.ts';
import type { MailTransport, Sender } from './transport.ts';

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
