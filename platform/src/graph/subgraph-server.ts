import type { FastifyInstance } from 'fastify';
import { httpStatus } from '../base/errors.ts';
import type { Services } from '../context.ts';
import { createContext, deadlineIn } from '../database/create-context.ts';
import { addHealth } from '../http/health.ts';
import { clientGone } from '../http/http-request.ts';
import { httpServer } from '../http/http-server.ts';
import { limitLargeBodies } from '../http/large-bodies.ts';
import { answerErrors } from '../http/unreadable-requests.ts';
import { CALLER_HEADER, type SigningSecrets, verifyCaller } from '../identity/caller-token.ts';
import { hasPrivacySignal } from '../identity/privacy-signal.ts';
import { traceRequests } from '../observe/request-spans.ts';
import { timeoutOfLength } from '../outbound/http-post.ts';
import { toFormattedError } from './error-conversion.ts';
import { REPLICA_HEADER } from './graphql-answer.ts';
import { executeSubgraph, isMutation, type Subgraph, type SubgraphRequest } from './subgraph.ts';
import { serveSubscriptions } from './subgraph-socket.ts';

/** Maximum of the gateway's longest request, with the additions of the query plan. */
const BODY_MAX_BYTES = 13 * 1024 * 1024;

/**
 * Serves one subgraph to the gateway over HTTP, and its subscriptions over WebSocket. Requests without the
 * gateway's token are refused.
 */
export function subgraphServer(
  subgraph: Subgraph,
  services: Services,
  secrets: SigningSecrets,
): FastifyInstance {
  const app = httpServer(services.log, services.config, { bodyLimit: BODY_MAX_BYTES });
  traceRequests(app);
  limitLargeBodies(app);
  addHealth(app, services);
  serveSubscriptions(app, subgraph, services, secrets);

  app.post('/graphql', async (request, reply) => {
    const asked = request.body as SubgraphRequest;
    const signal = clientGone(reply);
    const length = Number(request.headers['content-length'] ?? 0);
    const deadlineAt = deadlineIn(timeoutOfLength(length, services.config.SUBGRAPH_TIMEOUT_MS));
    const signed = await verifyCaller(request.headers[CALLER_HEADER] as string | undefined, secrets);
    const ctx = createContext(services, {
      ...signed,
      requestId: String(request.headers['x-request-id'] ?? request.id),
      idempotencyKey: (request.headers['idempotency-key'] as string | undefined) ?? null,
      mayReadReplica: REPLICA_HEADER in request.headers,
      hasPrivacySignal: hasPrivacySignal(request.headers),
      deadlineAt,
      // A write is completed even if the gateway disconnects.
      ...(!isMutation(subgraph, asked) && { signal }),
    });
    return reply.send(await executeSubgraph(subgraph, asked, ctx));
  });

  // Details of the gateway's mistakes are not for its clients; only the reasons of a busy process are passed
  // on.
  answerErrors(app, (_request, reply, error) => {
    const { message, category } = error;
    const isBusy = category === 'UNAVAILABLE';
    const shown = isBusy ? toFormattedError(error) : { message, extensions: { code: category } };
    return reply
      .status(httpStatus[category])
      .type('application/graphql-response+json; charset=utf-8')
      .send({ errors: [shown] });
  });
  return app;
}
