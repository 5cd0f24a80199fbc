import { type AppError, httpStatus, internalError } from '@loyalty/platform/base/errors';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { acceptOnlyJson, answerErrors } from '@loyalty/platform/http/unreadable-requests';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import '@loyalty/platform/http/http-request';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebGraph } from '../web-graph.ts';
import { actions } from './actions.ts';
import { actionPage, noticePage } from './page.ts';
import { addAssets, pageScript, pageStyle, readAsset } from './page-assets.ts';
import { guardedHeaders, sendPage } from './page-replies.ts';
import type { Notice, PageName, Texts } from './page-texts.ts';

/** Sites have a new version within an hour. */
const PUSH_SCRIPT_KEPT_SECONDS = 3_600;
const BODY_BYTES_MAX = 16 * 1024;

/** The addresses in mails and codes, with their pages. */
const addresses: Readonly<Record<string, PageName>> = {
  '/enrol/:token': 'enrol',
  '/confirm-enrollment': 'confirm-enrollment',
  '/confirm-email': 'confirm-email',
  '/reset-password': 'reset-password',
  '/invitation': 'invitation',
  '/sign-in': 'sign-in',
  '/unsubscribe': 'unsubscribe',
  '/preferences': 'preferences',
};

interface PageParts {
  readonly graph: WebGraph;
  readonly memberCookie: SessionCookie;
}

/**
 * Pages behind the links of mails and printed codes. Loading one changes nothing, because programs that scan
 * mail open links, too: the action runs when the button is pressed. Tokens are in the fragment, so that no
 * server and no referrer sees them.
 */
export async function pages(app: FastifyInstance, parts: PageParts): Promise<void> {
  app.addHook('onRequest', async (_, reply) => {
    reply.headers(guardedHeaders);
  });
  acceptOnlyJson(app);
  answerErrors(app, (_request, reply, error) => sendError(reply, error));
  addAssets(app, [pageScript, pageStyle]);
  addPushScript(app);
  for (const [address, name] of Object.entries(addresses))
    app.get(address, async (request, reply) => sendPage(request, reply, (texts) => actionPage(name, texts)));
  const notice = (address: string, choose: (texts: Texts, request: FastifyRequest) => Notice) =>
    app.get(address, async (request, reply) =>
      sendPage(request, reply, (texts) => noticePage(choose(texts, request), texts)),
    );
  notice('/enrol', ({ noForm }) => noForm);
  notice('/wallet', ({ wallet }, { query }) =>
    (query as { payment?: unknown }).payment === 'done' ? wallet.done : wallet.cancelled,
  );
  addActions(app, parts);
}

/** The service worker for web push; sites of other origins load it into their own. */
function addPushScript(app: FastifyInstance): void {
  const { content, type } = readAsset(new URL('push-sw.js', import.meta.url));
  app.get('/push-sw.js', async (_, reply) =>
    reply
      .headers({
        'cache-control': `public, max-age=${PUSH_SCRIPT_KEPT_SECONDS}`,
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type(type)
      .send(content),
  );
}

/** Runs the operations of the pages: a page sends the name of one and its variables. */
function addActions(app: FastifyInstance, { graph, memberCookie }: PageParts): void {
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
    if (action === 'sign-in' && memberCookie.isOwnPage(request.headers)) {
      const { token, expiresAt } = data!['answer'] as { token: string; expiresAt: string };
      reply.header('set-cookie', memberCookie.keep(token, new Date(expiresAt)));
    }
    return reply.send({ answer: action === 'sign-in' || (data?.['answer'] ?? null) });
  });
}

function sendError(reply: FastifyReply, { category, code, details }: AppError): FastifyReply {
  return reply.status(httpStatus[category]).send({ error: { code, ...details } });
}
