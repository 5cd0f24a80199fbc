import { type AppError, forbidden, httpStatusOf, internalError } from '@loyalty/platform/base/errors';
import type { Request } from '@loyalty/platform/context';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { acceptOnlyJson, answerErrors } from '@loyalty/platform/http/unreadable-requests';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import '@loyalty/platform/http/http-request';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';

const BODY_BYTES_MAX = 4 * 1024;

const SIGN_IN = `mutation SignIn($input: LoginInput!) {
  session: login(input: $input) { token expiresAt } }`;
const REFRESH = 'mutation RefreshSession { session: refreshSession { token expiresAt } }';
const SIGN_OUT = 'mutation SignOut($everywhere: Boolean) { endSession(everywhere: $everywhere) }';

interface SessionRoutesParts {
  readonly graph: {
    execute(
      operation: { readonly query: string; readonly variables: Record<string, unknown> },
      request: Request,
    ): Promise<Pick<FormattedExecutionResult, 'data' | 'errors'>>;
  };
  readonly userCookie: SessionCookie;
}

/**
 * Sessions of the back office: POST signs in, PUT renews for an hour, DELETE signs out. The token is only in
 * a cookie that scripts cannot read. These routes accept only requests from pages of the own origin.
 */
export async function sessionRoutes(
  app: FastifyInstance,
  { graph, userCookie }: SessionRoutesParts,
): Promise<void> {
  acceptOnlyJson(app);
  answerErrors(app, (_request, reply, error) => sendError(reply, error));
  app.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('cache-control', 'no-store');
    if (!userCookie.isOwnPage(headers))
      throw forbidden('CALLER_REFUSED', 'Sessions are for pages of the back office: sign in there.');
  });

  async function run(query: string, variables: Record<string, unknown>, request: Request) {
    const { data, errors } = await graph.execute({ query, variables }, request);
    const [error] = errors ?? [];
    if (error) throw toAppError(error) ?? internalError();
    return data!;
  }

  async function keep(
    reply: FastifyReply,
    query: string,
    variables: Record<string, unknown>,
    request: Request,
  ) {
    const { session } = await run(query, variables, request);
    const { token, expiresAt } = session as { readonly token: string; readonly expiresAt: string };
    reply.header('set-cookie', userCookie.keep(token, new Date(expiresAt)));
    return reply.send({ expiresAt });
  }

  app.post('/app/session', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    if (request.refused) throw request.refused;
    return keep(reply, SIGN_IN, { input: request.body ?? {} }, request.graphRequest());
  });
  app.put('/app/session', { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    if (request.refused) throw request.refused;
    return keep(reply, REFRESH, {}, request.graphRequest());
  });
  app.delete('/app/session', async (request, reply) => {
    reply.header('set-cookie', userCookie.clear);
    const { everywhere } = request.query as { readonly everywhere?: string };
    // An expired session need not be ended.
    if (request.refused || request.caller.kind !== 'USER') return reply.status(204).send();
    await run(SIGN_OUT, { everywhere: everywhere === 'true' }, request.graphRequest());
    return reply.status(204).send();
  });
}

function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { message, code, details } = error;
  return reply.status(httpStatusOf(error)).send({ error: message, code, ...details });
}
