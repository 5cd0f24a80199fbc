import type { Context } from '@loyalty/platform/context';
import type { OutboundErrorCode, OutboundResponse } from '@loyalty/platform/outbound/http-client';
import { isGivenUp, WORKER_LOST_SENTENCE } from '@loyalty/platform/work/lost-workers';
import { Webhook } from 'standardwebhooks';
import { eventBody } from '../events/event-body.ts';
import { type Attempt, type ClaimedDelivery, readRetryAfter } from './attempt.ts';
import { signingSecretsOf } from './endpoints.service.ts';

/** Timeout from the DNS query to the last byte of the response. */
const TIMEOUT_MS = 15_000;
/** Bytes of a response that are read, so that the connection can be reused. */
const RESPONSE_BYTES_MAX = 16_384;
/** Bytes of a response that are stored in the log. */
const EXCERPT_BYTES = 1_024;

type Outcome = Pick<Attempt, 'outcome' | 'responseStatus' | 'error' | 'responseExcerpt' | 'retryAfterMs'>;

/**
 * Sends a delivery once, or fails it. Never throws: errors are part of the outcome.
 *
 * @remarks Source: v2 REST API, section 6 "Webhooks"; the Standard Webhooks specification
 */
export async function sendDelivery(ctx: Context, delivery: ClaimedDelivery): Promise<Attempt> {
  const startedAt = ctx.clock.now();
  const since = performance.now();
  const outcome = await outcomeOf(ctx, delivery, startedAt);
  const durationMs = performance.now() - since;
  const labels = { purpose: 'webhook', outcome: outcome.outcome.toLowerCase() };
  ctx.services.metrics.outboundSeconds.observe(labels, durationMs / 1_000);
  return { delivery, startedAt, durationMs: Math.round(durationMs), ...outcome };
}

async function outcomeOf(ctx: Context, delivery: ClaimedDelivery, at: Date): Promise<Outcome> {
  if (isGivenUp(delivery)) return givenUp;
  try {
    const body = JSON.stringify(bodyOf(delivery));
    const secrets = await signingSecretsOf(ctx, delivery);
    const response = await ctx.services.http.request({
      method: 'POST',
      url: delivery.url,
      headers: signedHeaders(delivery.eventId, at, body, secrets),
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: RESPONSE_BYTES_MAX,
    });
    return fromResponse(response, at);
  } catch (error) {
    return fromError(ctx, error);
  }
}

const bodyOf = ({ eventId, type, eventCreatedAt, sequence, tier, payload }: ClaimedDelivery) =>
  eventBody({ id: eventId, type, createdAt: eventCreatedAt, sequence, tier, payload });

/**
 * Returns the headers of a delivery, with a signature by each secret.
 *
 * @param secrets - `whsec_…`, newest first
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Loyalty-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

function fromResponse({ status, headers, body }: OutboundResponse, now: Date): Outcome {
  const isRetried = status === 429 || status >= 500;
  const answer = { responseStatus: status, responseExcerpt: excerptOf(body), retryAfterMs: null };
  if (status >= 200 && status < 300) return { ...answer, outcome: 'DELIVERED', error: null };
  const error = `The endpoint answered ${status}.`;
  if (!isRetried) return { ...answer, outcome: 'REFUSED', error };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  return { ...answer, outcome: 'UNAVAILABLE', error, retryAfterMs };
}

/** PostgreSQL cannot store text with a zero byte. */
const excerptOf = (body: Buffer): string =>
  body.subarray(0, EXCERPT_BYTES).toString('utf8').replaceAll('\0', '�');

const none = { responseStatus: null, responseExcerpt: null, retryAfterMs: null } as const;

const givenUp: Outcome = { ...none, outcome: 'REFUSED', error: `WORKER_LOST: ${WORKER_LOST_SENTENCE}` };

function fromError(ctx: Context, error: unknown): Outcome {
  const { code, message } = error as { readonly code?: OutboundErrorCode; readonly message: string };
  if (code === 'OUTBOUND_REFUSED') return { ...none, outcome: 'REFUSED', error: message };
  if (code === 'OUTBOUND_TIMEOUT' || code === 'OUTBOUND_FAILED')
    return { ...none, outcome: 'UNAVAILABLE', error: message };
  ctx.log.error({ err: error }, 'webhook delivery could not be prepared');
  return { ...none, outcome: 'UNAVAILABLE', error: 'The delivery could not be prepared.' };
}
