import { randomUUID } from 'node:crypto';
import { anonymous } from '@loyalty/platform/base/caller';
import { httpStatus, internalError } from '@loyalty/platform/base/errors';
import type { Request, Services } from '@loyalty/platform/context';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import { createLimiter } from '@loyalty/platform/identity/limiter';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noticePage } from '../pages/page.ts';
import { guardedHeaders, sendPage } from '../pages/page-replies.ts';
import type { WebGraph } from '../web-graph.ts';
import { acceptOneClick, isOneClick } from './one-click.ts';
import { createVisitRecorder } from './visit-recorder.ts';

/** A transparent image of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
/** Visits of one message that are recorded in a minute; more are no recipient's. */
const VISITS_PER_MINUTE = 60;

const UNSUBSCRIBE = 'mutation UnsubscribeByToken($token: String!) { unsubscribeByToken(token: $token) }';
const RECORD = 'mutation RecordLinkVisits($tokens: [String!]!) { recordLinkVisits(tokens: $tokens) }';

/** What the token of a link says. */
type MailLink =
  | { readonly kind: 'CLICK'; readonly messageId: string; readonly url: string }
  | { readonly kind: 'OPEN'; readonly messageId: string }
  | { readonly kind: 'RECIPIENT' };

interface MailLinkParts {
  readonly graph: WebGraph;
  readonly services: Services;
  /** Null for a token that this product did not sign. */
  readonly readToken: (token: string) => Promise<MailLink | null>;
}

/**
 * What the links of messages lead to: `/u/` unsubscribes (RFC 8058), `/c/` leads on to the target of a link,
 * `/o/` is the image that shows that a message was opened. They are not counted by address, because a mail
 * provider opens the messages of all its customers from a few addresses. Tokens are checked here: what nobody
 * signed costs a hash, and a click works while the engagement service is away.
 */
export async function mailLinks(app: FastifyInstance, parts: MailLinkParts): Promise<void> {
  const { readToken } = parts;
  const record = visitRecorder(app, parts);
  app.addHook('onRequest', async (_, reply) => {
    reply.headers({ ...guardedHeaders, 'cache-control': 'no-store' });
  });
  acceptOneClick(app);
  answerErrors(app, (request, reply, { category }) =>
    sendNotice(request, reply, httpStatus[category], 'later'),
  );

  // The routes are wildcards since a token may be longer than a parameter.
  app.get('/c/*', async (request, reply) => {
    const token = tokenOf(request);
    const link = await readToken(token);
    if (link?.kind !== 'CLICK') return sendNotice(request, reply, 400, 'brokenLink');
    record(request, link, token);
    return reply.redirect(link.url, 302);
  });

  app.get('/o/*', async (request, reply) => {
    const token = tokenOf(request).replace(/\.gif$/, '');
    const link = await readToken(token).catch(() => null);
    if (link?.kind === 'OPEN') record(request, link, token);
    return reply.type('image/gif').header('cross-origin-resource-policy', 'cross-origin').send(PIXEL);
  });

  // Following the link changes nothing: programs that scan mail do so, too.
  app.get('/u/*', async (request, reply) => {
    const link = await readToken(tokenOf(request));
    if (link?.kind !== 'RECIPIENT') return sendNotice(request, reply, 400, 'brokenLink');
    return reply.redirect(`/unsubscribe#token=${tokenOf(request)}`, 303);
  });

  app.post('/u/*', async (request, reply) => {
    if (!isOneClick(request.body)) {
      const sentence = 'Send List-Unsubscribe=One-Click as the body of a form, as RFC 8058 says.\n';
      return reply.status(400).type('text/plain; charset=utf-8').send(sentence);
    }
    const variables = { token: tokenOf(request) };
    const { errors } = await parts.graph.execute({ query: UNSUBSCRIBE, variables }, requestOf(request));
    const [error] = errors ?? [];
    reply.type('text/plain; charset=utf-8');
    if (!error) return reply.send('The address is unsubscribed.\n');
    const { category, message } = toAppError(error) ?? internalError();
    return reply.status(httpStatus[category]).send(`${message}\n`);
  });
}

interface Visit {
  readonly token: string;
  readonly messageId: string;
}

/** Records visits once they are answered. What the answer is does not depend on it. */
function visitRecorder(app: FastifyInstance, { graph, services }: MailLinkParts) {
  const { log, config } = services;
  const limiter = createLimiter({
    ...{ name: 'mail-visits', points: VISITS_PER_MINUTE, durationSeconds: 60 },
    ...(config.REDIS_URL ? { redisUrl: config.REDIS_URL } : {}),
  });
  const recorder = createVisitRecorder<Visit>(log, async (visits) => {
    const states = await Promise.all(visits.map(({ messageId }) => limiter.consume(messageId)));
    const tokens = visits.filter((_, at) => states[at]!.allowed).map(({ token }) => token);
    if (tokens.length === 0) return;
    const request = { caller: anonymous, requestId: randomUUID() };
    const { errors } = await graph.execute({ query: RECORD, variables: { tokens } }, request);
    if (errors) throw errors[0];
  });
  app.addHook('onClose', async () => {
    await recorder.close();
    await limiter.close();
  });
  return (request: FastifyRequest, { messageId }: { readonly messageId: string }, token: string): void => {
    if (isVisit(request)) recorder.record({ token, messageId });
  };
}

/** A program that only checks a link, or a browser that loads it in advance, is no recipient. */
const isVisit = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/prefetch|preview|prerender/i.test(
    [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']].join(),
  );

/** The call goes on when the client is gone, and no key of the client makes it another one's. */
const requestOf = (request: FastifyRequest): Request => ({
  caller: request.caller,
  requestId: request.id,
  address: request.address,
});

const tokenOf = ({ params }: FastifyRequest): string => (params as { '*': string })['*'];

const sendNotice = (
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  name: 'brokenLink' | 'later',
): FastifyReply => sendPage(request, reply.status(status), (texts) => noticePage(texts[name], texts));
