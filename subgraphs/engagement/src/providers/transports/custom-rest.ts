import { postMail } from './http-transport.ts';
import { mailbox, senderOf, subjectOf } from './sender.ts';
import type { MailTransport, Sender } from './transport.ts';

/** Where the parts of a message go in the JSON that a provider takes. */
export interface RestMapping {
  readonly endpoint: string;
  readonly authHeader: string;
  /** Stands before the key, as `Bearer`; empty where the header holds the key alone. */
  readonly authScheme: string;
  readonly toField: string;
  readonly fromField: string;
  readonly subjectField: string;
  readonly htmlField: string;
  /** Parts without a field are left out. */
  readonly textField?: string | undefined;
  readonly replyToField?: string | undefined;
  /** Takes an object with further headers, such as List-Unsubscribe. */
  readonly headersField?: string | undefined;
}

/** Any provider that takes a message as one JSON object. */
export function customRestTransport(mapping: RestMapping, apiKey: string, sender: Sender): MailTransport {
  const { endpoint, authHeader, authScheme } = mapping;
  return {
    // It gets the key, but nothing says that it heeds it.
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
