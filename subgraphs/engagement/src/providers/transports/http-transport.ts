import type { Context } from '@loyalty/platform/context';
import type { OutboundErrorCode, OutboundResponse } from '@loyalty/platform/outbound/http-client';
import { accepted, failed, outcomeOf, refusedWith, type Sent } from './transport.ts';

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
