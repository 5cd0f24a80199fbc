import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Client } from './harness/client.ts';
import type { Collector, ExportedSpan } from './harness/collector.ts';
import { eventually } from './harness/eventually.ts';

/** Longer than the interval at which collected spans are sent. */
const EXPORTED_MS = 20_000;

/** The spans of the jobs that run after `order.created`. */
export const JOBS = ['loyalty.attribute-order', 'loyalty.book-order', 'model.ingest-order'].map(
  (job) => `process ${job}`,
);

/** Signs up and returns an API key of the account. */
export async function signUp({ rest }: Client): Promise<string> {
  const account = {
    email: `owner.${randomBytes(4).toString('hex')}@example.com`,
    password: 'a long pass phrase',
  };
  await rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Ada Owner' } });
  const { body } = await rest('POST', '/api/v2/auth/login', { body: account });
  const scopes = ['members:read', 'members:write', 'orders:write'];
  const key = await rest('POST', '/api/v2/api-keys', { as: body.token, body: { name: 'till', scopes } });
  return key.body.key;
}

/** Personal data of the member, which no span may contain. */
const PERSONAL = { email: 'bo.personal@example.com', fullName: 'Bo Personalname' };

/**
 * Sends an order of a new member within a trace of the client, and waits until the spans of its jobs were
 * exported.
 */
export async function orderTraced(client: Client, key: string, collector: Collector) {
  const member = await client.rest('POST', '/api/v2/members', { as: key, body: PERSONAL });
  const memberId: string = member.body.id;
  await client.rest('GET', `/api/v2/members?search=${PERSONAL.email}`, { as: key });
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'x-request-id': 'the-request' };
  const occurredAt = new Date().toISOString();
  const body = { externalOrderId: traceId, memberId, currency: 'EUR', total: 8_000, occurredAt };
  const { status } = await client.rest('POST', '/api/v2/orders', { as: key, body, headers });
  expect(status).toBe(201);
  const spans = await eventually(() => {
    const found = collector.spans.filter((span) => span.traceId === traceId);
    const names = found.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...JOBS, 'POST /api/v2/orders']));
    // Each process sends its spans at its own time.
    const known = new Set([spanId, ...found.map((span) => span.spanId)]);
    expect(found.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''))).toEqual([]);
    return found;
  }, EXPORTED_MS);
  return { spans, spanId, memberId };
}

/** The names of the spans from the root to the span with this name. */
export function pathTo(spans: readonly ExportedSpan[], name: string): string[] {
  const path: string[] = [];
  let current = spans.find((span) => span.name === name);
  while (current) {
    path.unshift(current.name);
    const { parentSpanId } = current;
    current = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  return path;
}

/** The attributes of a span as an object. */
export const attributesOf = (spans: readonly ExportedSpan[], name: string): Record<string, unknown> =>
  Object.fromEntries(
    spans
      .find((span) => span.name === name)!
      .attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );

/** Expects that no exported data identifies the member or contains a credential or a query string. */
export function expectNothingPersonal(collector: Collector, memberId: string, key: string): void {
  const exported = collector.exported();
  expect(exported).toContain('http.route');
  for (const secret of [PERSONAL.email, 'bo.personal', 'Personalname', memberId, key]) {
    expect(exported).not.toContain(secret);
  }
}
