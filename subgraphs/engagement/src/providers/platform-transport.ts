import type { Context } from '@loyalty/platform/context';
import type { MailErrorCode } from '@loyalty/platform/outbound/mail';
import { storeInMailbox } from './mailbox.service.ts';
import {
  accepted,
  failed,
  type MailTransport,
  type OutgoingMail,
  type Sent,
  subjectOf,
} from './transport.ts';

/**
 * The platform's own provider, which sends from its own address: the mail server of MAIL_URL, or the
 * development mailbox without one. Mails of test mode go into the mailbox, too, because test mode never
 * sends.
 */
export const platformTransport = (ctx: Context): MailTransport =>
  ctx.services.config.MAIL_URL && ctx.scope.mode === 'LIVE' ? mailServer : developmentMailbox;

const mailServer: MailTransport = {
  isIdempotent: false,
  async send({ services }, mail) {
    const messageId = `${mail.messageId}@${domainOf(services.config.MAIL_FROM)}`;
    try {
      await services.mailer.send({
        to: mail.to,
        ...(mail.replyTo && { replyTo: mail.replyTo }),
        subject: subjectOf(mail),
        html: mail.html,
        text: mail.text,
        headers: mail.headers,
        messageId,
      });
      return accepted(null, messageId);
    } catch (error) {
      return failureOf(error);
    }
  },
};

/** The development mailbox stores a message once, by its id. */
const developmentMailbox: MailTransport = {
  isIdempotent: true,
  async send(ctx, mail: OutgoingMail) {
    const { messageId, to, subject, html, text, headers, replyTo = null } = mail;
    const from = ctx.services.config.MAIL_FROM;
    await storeInMailbox(ctx, { id: messageId, to, from, replyTo, subject, html, text, headers });
    return accepted(null, messageId);
  },
};

/** The error messages of the mailer contain no addresses. */
function failureOf(error: unknown): Sent {
  const { code, message } = error as { code?: MailErrorCode; message: string };
  if (code === 'MAIL_REJECTED') return failed('REJECTED', null, message);
  if (code === 'MAIL_UNAVAILABLE') return failed('UNAVAILABLE', null, message);
  return failed('UNAVAILABLE', null, 'The mail server could not be used.');
}

/** Returns the domain of a sender such as `Loyalty <no-reply@example.com>`. */
const domainOf = (sender: string): string => /@([^>\s]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';
