import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: string;
  /** Further headers; set `messageId` instead of Message-ID. */
  headers?: Readonly<Record<string, string>>;
  /** Without angle brackets. Default: a new id. */
  messageId?: string;
}

export interface Mailer {
  /** Resolves after the server has accepted the message. @throws MailError */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** A REJECTED message will not be accepted later either; an UNAVAILABLE server may accept it later. */
export type MailErrorCode = 'MAIL_REJECTED' | 'MAIL_UNAVAILABLE';

/**
 * The reason for which a message was not accepted. Contains no text of the server, because that repeats
 * addresses.
 */
class MailError extends Error {
  readonly code: MailErrorCode;
  constructor(code: MailErrorCode, message: string) {
    super(message);
    this.name = 'MailError';
    this.code = code;
  }
}

/**
 * Creates the mailer for the product's own messages (sign-up, invitations, alerts), and for messages of
 * workspaces without a mail provider.
 *
 * @param options.url - `smtp://user:password@host:587` or `smtps://…` (MAIL_URL); without it, nothing is sent
 * @param options.directory - receives each message as an .eml file if there is no url, for development
 */
export function createMailer(options: { url?: string; from: string; directory: string }): Mailer {
  const defaults = {
    from: options.from,
    // A message may contain only the given data, never files or addresses that the data names.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return options.url ? smtpMailer(options.url, defaults) : fileMailer(options.directory, defaults);
}

function smtpMailer(url: string, defaults: SendMailOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isTls = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isTls ? 465 : 587),
    secure: isTls,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(optionsOf(mail, defaults));
      } catch (error) {
        throw asMailError(error);
      }
    },
    close: async () => transport.close(),
  };
}

function fileMailer(directory: string, defaults: SendMailOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(optionsOf(mail, defaults));
      await mkdir(directory, { recursive: true });
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID()}.eml`;
      await writeFile(join(directory, name), message as Buffer, { mode: 0o600 });
    },
    close: async () => transport.close(),
  };
}

function optionsOf({ headers, messageId, ...mail }: Mail, defaults: SendMailOptions): SendMailOptions {
  return {
    ...defaults,
    ...mail,
    ...(headers && { headers: { ...headers } }),
    ...(messageId && { messageId: `<${messageId}>` }),
  };
}

function asMailError(error: unknown): MailError {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  const reason = [code, status].filter((part) => part !== undefined).join(' ');
  // A refused log-in is also answered with 5xx, but the operator can correct it, so the message is not
  // rejected.
  if (status !== undefined && status >= 500 && code !== 'EAUTH') {
    return new MailError('MAIL_REJECTED', `The mail server rejected the message (${reason}).`);
  }
  return new MailError('MAIL_UNAVAILABLE', `The mail server cannot be used now (${reason}).`);
}
