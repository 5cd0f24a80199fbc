import type { Context } from '@loyalty/platform/context';
import type { OutboundErrorCode, OutboundResponse } from '@loyalty/platform/outbound/http-client';

/** A complete e-mail to one recipient. */
export interface OutgoingMail {
  readonly messageId: string;
  /** The same for all attempts of a message. */
  readonly idempotencyKey: string;
  readonly to: string;
  /** An address from which the workspace's providers may send. Default: the provider's own address. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * REJECTED: the provider refused this message. CREDENTIALS: it refused the credentials. UNAVAILABLE: it was
 * not reachable in time, or was busy.
 */
export type SendOutcome = 'ACCEPTED' | 'REJECTED' | 'CREDENTIALS' | 'UNAVAILABLE';

/** The response of a provider. The error is a sentence without addresses, content or secrets. */
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

/** The transport of messages to a provider. */
export interface MailTransport {
  /** Whether the provider sends a message only once if it receives it twice with the same key. */
  readonly isIdempotent: boolean;
  /** Never throws because of the provider: its errors are the result. */
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

/** Returns the outcome that a status means. */
function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return 'ACCEPTED';
  if (status === 401 || status === 403) return 'CREDENTIALS';
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  return isRefusal ? 'REJECTED' : 'UNAVAILABLE';
}

/** An error name of a provider that can be shown: it cannot be an address or a part of the message. */
const CODE = /^[A-Za-z][A-Za-z_]{2,60}$/;

/**
 * Returns the result for a response with this status.
 *
 * @param code - the provider's error code; shown if it is a plain name
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

/** Returns the sender of a message: its own address, or the provider's address and name. */
export const senderOf = (mail: OutgoingMail, sender: Sender): Sender =>
  mail.from ? { address: mail.from, name: null } : sender;

/** Formats a sender by RFC 5322. Characters other than ASCII are encoded by RFC 2047. */
export function mailbox({ address, name }: Sender): string {
  if (name === null || name === '') return address;
  const isAscii = /^[\x20-\x7e]*$/.test(name);
  const shown = isAscii ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name);
  return `${shown} <${address}>`;
}

/**
 * Bytes of UTF-8 in one encoded word: 75 characters contain 45 bytes in base64, minus an incomplete
 * character.
 */
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

/** Returns the subject in one line. */
export const subjectOf = ({ subject }: OutgoingMail): string => subject.replace(/[\r\n]+/g, ' ');

export interface MailRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Functions that read the id of an accepted message, and the code of an error. */
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
 * Returns the result for a provider that did not respond. Other errors are not shown, because they may
 * contain parts of the message.
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
