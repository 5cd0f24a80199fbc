import type { Context } from '@loyalty/platform/context';
import type { OutboundErrorCode, OutboundResponse } from '@loyalty/platform/outbound/http-client';

/** One e-mail to one recipient, complete. */
export interface OutgoingMail {
  readonly messageId: string;
  /** Equal for every attempt at the same message. */
  readonly idempotencyKey: string;
  readonly to: string;
  /** An address that the workspace's providers may send from; without it each uses its own. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * REJECTED: the provider refused this message. CREDENTIALS: it refused the credentials. UNAVAILABLE: it could
 * not be reached in time, or was busy.
 */
export type SendOutcome = 'ACCEPTED' | 'REJECTED' | 'CREDENTIALS' | 'UNAVAILABLE';

/** How a provider answered. The error is a sentence without addresses, content or secrets. */
export interface Sent {
  readonly outcome: SendOutcome;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly providerMessageId: string | null;
}

export interface Sender {
  readonly address: string;
  readonly name: string | null;
}

/** How messages reach one provider. */
export interface MailTransport {
  /** Whether the provider sends a message once although it gets it twice with the same key. */
  readonly isIdempotent: boolean;
  /** Never throws for what the provider does. */
  send(ctx: Context, mail: OutgoingMail, timeoutMs: number): Promise<Sent>;
}

export const accepted = (status: number | null, providerMessageId: string | null): Sent => ({
  outcome: 'ACCEPTED',
  responseStatus: status,
  error: null,
  providerMessageId,
});

export const failed = (
  outcome: Exclude<SendOutcome, 'ACCEPTED'>,
  status: number | null,
  error: string,
): Sent => ({ outcome, responseStatus: status, error, providerMessageId: null });

/** What a status of a provider means. */
function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return 'ACCEPTED';
  if (status === 401 || status === 403) return 'CREDENTIALS';
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  return isRefusal ? 'REJECTED' : 'UNAVAILABLE';
}

/** A name for an error that a provider gave: only what can be no address and no part of the message. */
const CODE = /^[A-Za-z][A-Za-z_]{2,60}$/;

/**
 * What became of an answer with this status.
 *
 * @param code - as the provider names the error; shown if it is a plain name
 */
export function refusedWith(host: string, status: number, code?: unknown): Sent {
  const outcome = outcomeOf(status);
  const named = typeof code === 'string' && CODE.test(code) ? ` (${code})` : '';
  return failed(
    outcome as Exclude<SendOutcome, 'ACCEPTED'>,
    status,
    `${host} answered ${status}${named}: ${reasonOf(outcome, status)}.`,
  );
}

function reasonOf(outcome: SendOutcome, status: number): string {
  if (outcome === 'CREDENTIALS') return 'it refused the credentials';
  if (outcome === 'REJECTED') return 'it refused the message';
  if (status === 429) return 'it takes no more messages now';
  return status >= 500 ? 'it cannot send now' : 'this is not how a mail provider answers';
}

/** Who a message is from: its own address, or the provider's with its name. */
export const senderOf = (mail: OutgoingMail, sender: Sender): Sender =>
  mail.from ? { address: mail.from, name: null } : sender;

/** A sender as RFC 5322 writes it; other characters than ASCII are encoded by RFC 2047. */
export function mailbox({ address, name }: Sender): string {
  if (name === null || name === '') return address;
  const isAscii = /^[\x20-\x7e]*$/.test(name);
  const shown = isAscii ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name);
  return `${shown} <${address}>`;
}

/** Bytes of UTF-8 in one encoded word: its 75 characters hold 45 bytes in base64, less a whole character. */
const WORD_BYTES = 42;

function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

/** A subject is one line. */
export const subjectOf = ({ subject }: OutgoingMail): string => subject.replace(/[\r\n]+/g, ' ');

export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How to read the id of an accepted message, and the name of an error. */
interface Reading {
  readonly messageId: (json: Readonly<Record<string, unknown>>, response: OutboundResponse) => unknown;
  readonly errorCode?: (json: Readonly<Record<string, unknown>>) => unknown;
}

/** Posts a message as JSON to a provider's API. */
export async function postMail(
  ctx: Context,
  { url, headers, body }: MailRequest,
  reading: Reading,
  timeoutMs: number,
): Promise<Sent> {
  try {
    const response = await ctx.services.http.request({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      timeoutMs,
    });
    const json = readJson(response);
    if (outcomeOf(response.status) === 'ACCEPTED')
      return accepted(response.status, textOf(reading.messageId(json, response)));
    return refusedWith(new URL(url).hostname, response.status, reading.errorCode?.(json));
  } catch (error) {
    return unreachable(error);
  }
}

/**
 * A provider that gave no answer. Of other errors nothing is shown, because they may repeat what was sent.
 */
export function unreachable(error: unknown): Sent {
  const { code, message } = error as { code?: OutboundErrorCode; message: string };
  const isOutbound = typeof code === 'string' && code.startsWith('OUTBOUND_');
  return failed('UNAVAILABLE', null, isOutbound ? message : 'The request could not be sent.');
}

function readJson({ body }: OutboundResponse): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const MESSAGE_ID_LENGTH_MAX = 255;

const textOf = (id: unknown): string | null => {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && text !== '' && text.length <= MESSAGE_ID_LENGTH_MAX ? text : null;
};
