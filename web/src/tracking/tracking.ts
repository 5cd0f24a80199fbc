import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Caller } from '@loyalty/platform/base/caller';
import { AppError, forbidden, internalError, unauthenticated } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { sendRestError } from '@loyalty/platform/http/http-errors';
import '@loyalty/platform/http/http-request';
import { addMs, type Clock } from '@loyalty/platform/base/clock';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import { addVary } from '@loyalty/platform/http/vary';
import { type LimitState, rateLimitRefusal } from '@loyalty/platform/identity/limiter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebGraph } from '../web-graph.ts';

/** What browsers send at most when a page ends. */
const BODY_BYTES_MAX = 64 * 1024;
const PREFLIGHT_KEPT_SECONDS = 7_200;
const KEPT_SECONDS = 24 * 3_600;

const TRACK = `mutation TrackFromBrowser($events: [TrackedEventInput!]!) {
  trackEvents(events: $events) { accepted duplicates rejected { index error } }
}`;

interface TrackingParts {
  readonly graph: WebGraph;
  /** Who calls, and whether they may call again. */
  readonly admission: {
    authenticate(credential: { readonly apiKey: string }, requestId: string): Promise<Caller>;
    consume(caller: Caller, address: string): Promise<LimitState>;
  };
  readonly clock: Clock;
}

/** The script for websites, and the address that it sends events to. */
export async function tracking(app: FastifyInstance, parts: TrackingParts): Promise<void> {
  answerErrors(app, sendRestError);
  addScript(app);
  app.removeAllContentTypeParsers();
  // A text needs no preflight, and a beacon can be nothing else.
  for (const type of ['text/plain', 'application/json'])
    app.addContentTypeParser(type, { parseAs: 'string' }, (_request, text, done) => done(null, text));
  app.options('/t', async (request, reply) => {
    await allowOrigin(request, reply, parts);
    return reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type',
        'access-control-max-age': String(PREFLIGHT_KEPT_SECONDS),
      })
      .send();
  });
  app.post('/t', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const body = readBody(request.body);
    const key = await keyOf(request, body.key, parts);
    allow(request, reply, key);
    await count(key, request, parts);
    request.caller = body.token === undefined ? key : await memberOf(request, body.token, key, parts);
    const now = parts.clock.now();
    const variables = { events: body.events.map((event) => withTime(event, now)) };
    const { data, errors } = await parts.graph.execute({ query: TRACK, variables }, request.graphRequest());
    if (errors?.[0]) throw toAppError(errors[0]) ?? internalError();
    return reply.status(202).send(data?.['trackEvents']);
  });
}

/** The script without what only its readers need; its test holds it below 2,000 bytes. */
const trackingScript = readFileSync(new URL('t.js', import.meta.url), 'utf8')
  .replace(/^\s*\/\/.*$/gm, '')
  .replace(/^\s+/gm, '');

function addScript(app: FastifyInstance): void {
  const etag = `"${createHash('sha256').update(trackingScript).digest('base64url').slice(0, 16)}"`;
  app.get('/t.js', async (request, reply) => {
    reply.headers({
      'cache-control': `public, max-age=${KEPT_SECONDS}, stale-while-revalidate=${7 * KEPT_SECONDS}`,
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      etag,
    });
    const isKept = request.headers['if-none-match']?.includes(etag);
    return isKept ? reply.status(304).send() : reply.send(trackingScript);
  });
}

interface BrowserBody {
  readonly key?: unknown;
  /** Of a signed-in member's session. */
  readonly token?: unknown;
  readonly events: readonly unknown[];
}

function readBody(text: unknown): BrowserBody {
  try {
    const body = JSON.parse(String(text)) as BrowserBody | null;
    if (body && Array.isArray(body.events)) return body;
  } catch {}
  throw new AppError('BAD_USER_INPUT', 'BODY_INVALID', 'The body must be JSON with a list of events.');
}

/** An event says how long ago it was, in ms: clocks of browsers are often wrong. */
function withTime(event: unknown, now: Date): unknown {
  const { ago, ...rest } = Object(event) as Record<string, unknown>;
  const isTime = typeof ago === 'number' && ago >= 0 && ago < 1e12;
  return isTime ? { ...rest, occurredAt: addMs(now, -ago).toISOString() } : rest;
}

/** @throws AppError CREDENTIAL_MISSING, CREDENTIAL_INVALID (401) */
async function keyOf(
  request: FastifyRequest,
  ofBody: unknown,
  { admission }: TrackingParts,
): Promise<Caller> {
  const key = (request.query as { key?: unknown }).key ?? ofBody;
  if (typeof key !== 'string' || key === '')
    throw unauthenticated('CREDENTIAL_MISSING', 'Send a publishable key as ?key=pk_… or in the body.');
  const caller = await admission.authenticate({ apiKey: key }, request.id);
  if (caller.kind === 'PUBLISHABLE') return caller;
  throw unauthenticated(
    'CREDENTIAL_INVALID',
    'Only a publishable key belongs on a website. Revoke this one.',
  );
}

/** @throws AppError CREDENTIAL_INVALID (401) for who is no member in the workspace and mode of the key */
async function memberOf(
  request: FastifyRequest,
  token: unknown,
  key: Caller,
  { admission }: TrackingParts,
): Promise<Caller> {
  const member = await admission.authenticate({ apiKey: String(token) }, request.id);
  if (member.kind === 'MEMBER' && member.workspaceId === key.workspaceId && member.mode === key.mode)
    return member;
  throw unauthenticated('CREDENTIAL_INVALID', 'The token is not of a session of a member here.');
}

/** @throws AppError RATE_LIMITED (429) */
async function count(key: Caller, { address }: FastifyRequest, { admission }: TrackingParts): Promise<void> {
  const state = await admission.consume(key, address);
  if (!state.allowed) throw rateLimitRefusal(state);
}

const isAllowed = ({ origins = [] }: Caller, origin: string | undefined): boolean =>
  origins.length === 0 || (origin !== undefined && origins.includes(origin));

/** Lets the website read the answer. @throws AppError ORIGIN_REFUSED (403) */
function allow(request: FastifyRequest, reply: FastifyReply, key: Caller): void {
  const { origin } = request.headers;
  addVary(reply, 'Origin');
  if (!isAllowed(key, origin)) throw forbidden('ORIGIN_REFUSED', 'The key is not for this website.');
  if (origin !== undefined) reply.header('access-control-allow-origin', origin);
}

/** A preflight has no body: where the key is in it, the request itself is judged. */
async function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: TrackingParts,
): Promise<void> {
  const { origin } = request.headers;
  const { key } = request.query as { key?: unknown };
  if (key !== undefined) allow(request, reply, await keyOf(request, undefined, parts));
  else if (origin !== undefined) reply.header('access-control-allow-origin', origin);
}
