import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AppError, httpStatus, internalError } from '@loyalty/platform/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { pageHeaders } from '@loyalty/platform/http/page-headers';
import { acceptOnlyJson, answerErrors } from '@loyalty/platform/http/unreadable-requests';
import '@loyalty/platform/http/http-request';
import type { Graph } from '@loyalty/gateway/graph';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actions } from './actions.ts';
import { type Assets, actionPage, noticePage } from './page.ts';
import type { Notice, PageName, Texts } from './page-texts.ts';
import { textsFor } from './texts.ts';

/** Nothing from other origins, nothing inline, and no form is sent but by the script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const headers = {
  ...pageHeaders,
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const ASSETS_KEPT_SECONDS = 365 * 24 * 3_600;
const BODY_BYTES_MAX = 16 * 1024;

/** The addresses in mails and codes, with their pages. */
const addresses: Readonly<Record<string, PageName>> = {
  '/enrol/:token': 'enrol',
  '/confirm-enrollment': 'confirm-enrollment',
  '/confirm-email': 'confirm-email',
  '/reset-password': 'reset-password',
  '/invitation': 'invitation',
  '/unsubscribe': 'unsubscribe',
};

/**
 * Pages behind the links of mails and printed codes. Loading one changes nothing, because programs that scan
 * mail open links, too: the action runs when the button is pressed. Tokens are in the fragment, so that no
 * server and no referrer sees them.
 */
export async function pages(app: FastifyInstance, { graph }: { readonly graph: Graph }): Promise<void> {
  const script = asset('page.js', 'text/javascript; charset=utf-8');
  const style = asset('page.css', 'text/css; charset=utf-8');
  const assets: Assets = { script: script.address, style: style.address };
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(headers);
  });
  acceptOnlyJson(app);
  answerErrors(app, (_request, reply, error) => sendError(reply, error));
  for (const { path, type, content } of [script, style]) {
    app.get(path, async (_, reply) =>
      reply
        .header('cache-control', `public, max-age=${ASSETS_KEPT_SECONDS}, immutable`)
        .type(type)
        .send(content),
    );
  }
  for (const [address, name] of Object.entries(addresses))
    app.get(address, async (request, reply) =>
      sendPage(request, reply, (texts) => actionPage(name, texts, assets)),
    );
  const notice = (address: string, choose: (texts: Texts, request: FastifyRequest) => Notice) =>
    app.get(address, async (request, reply) =>
      sendPage(request, reply, (texts) => noticePage(choose(texts, request), texts, assets)),
    );
  notice('/enrol', ({ noForm }) => noForm);
  notice('/wallet', ({ wallet }, { query }) =>
    (query as { payment?: unknown }).payment === 'done' ? wallet.done : wallet.cancelled,
  );
  addActions(app, graph);
}

function asset(name: string, type: string) {
  const content = readFileSync(new URL(name, import.meta.url));
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { path: `/pages/${name}`, address: `/pages/${name}?v=${version}`, type, content };
}

function sendPage(
  { headers: asked }: FastifyRequest,
  reply: FastifyReply,
  render: (texts: Texts) => string,
): FastifyReply {
  const texts = textsFor(asked['accept-language']);
  reply.headers({ 'cache-control': 'no-store', 'content-language': texts.language, vary: 'Accept-Language' });
  return reply.type('text/html; charset=utf-8').send(render(texts));
}

/** Runs the operations of the pages: a page sends the name of one and its variables. */
function addActions(app: FastifyInstance, graph: Graph): void {
  app.post('/pages/:action', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.refused) return sendError(reply, request.refused);
    const { action } = request.params as { action: string };
    const query = Object.hasOwn(actions, action) ? actions[action]! : null;
    if (!query) return reply.callNotFound();
    const variables = Object(request.body ?? {}) as Record<string, unknown>;
    const { data, errors } = await graph.execute({ query, variables }, request.graphRequest());
    const [error] = errors ?? [];
    if (error) return sendError(reply, toAppError(error) ?? internalError());
    return reply.send({ answer: data?.['answer'] ?? null });
  });
}

function sendError(reply: FastifyReply, { category, code, details }: AppError): FastifyReply {
  return reply.status(httpStatus[category]).send({ error: { code, ...details } });
}
