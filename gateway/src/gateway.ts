import type { SubgraphName } from '@loyalty/platform/base/subgraph-name';
import type { Services } from '@loyalty/platform/context';
import { memberCookie, userCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance } from 'fastify';
import { type Authenticator, createAuthenticator } from './admission/authenticate.ts';
import { createCallLog } from './admission/call-log.ts';
import { withCredentialChanges } from './admission/credential-changes.ts';
import { createRateLimits, type RateLimits } from './admission/rate-limits.ts';
import { loadApolloEngine } from './executor/apollo-engine.ts';
import { createGraph, type Graph } from './graph.ts';
import { createApollo } from './http/apollo.ts';
import { createServer } from './http/server.ts';
import { persistedOperations } from './operations/persisted.ts';
import { committedSupergraph } from './supergraph/supergraph.ts';
import type { Transports } from './transport/transport.ts';

export interface Gateway {
  /** Not listening yet, so that further routes can be added. */
  readonly app: FastifyInstance;
  readonly graph: Graph;
  /** For routes that authenticate their callers themselves. */
  readonly admission: Admission;
  /** Finishes running requests and closes all resources. */
  close(): Promise<void>;
}

/** Authentication and rate limits. */
export interface Admission {
  readonly authenticate: Authenticator['authenticate'];
  readonly consume: RateLimits['consume'];
}

/** Creates the gateway over the committed supergraph. */
export async function createGateway(
  services: Services,
  transports: Transports<SubgraphName>,
): Promise<Gateway> {
  const { log, live, clock, config } = services;
  const publishing = withCredentialChanges(transports, live);
  const graph = createGraph({
    supergraph: committedSupergraph(),
    transports: publishing,
    log,
    ...(config.GATEWAY_ENGINE === 'apollo' && { newExecutor: await loadApolloEngine() }),
  });
  const persisted = persistedOperations(config, log);
  graph.warm([...persisted.known].map((query) => ({ query })));
  const apollo = await createApollo(graph, log, { persisted });
  const authenticator = createAuthenticator(transports.workspace, live, clock);
  const callLog = createCallLog(transports.workspace, log);
  const rateLimits = createRateLimits(config.REDIS_URL);
  const app = createServer(services, {
    apollo,
    graph,
    persisted,
    authenticator,
    callLog,
    rateLimits,
    memberCookie: memberCookie(config),
    userCookie: userCookie(config),
  });
  return {
    app,
    graph,
    admission: { authenticate: authenticator.authenticate, consume: rateLimits.consume },
    async close() {
      await app.close();
      authenticator.close();
      rateLimits.close();
      await callLog.close();
      await apollo.stop();
      await persisted.close();
      await Promise.all(Object.values(transports).map((transport) => transport.close()));
    },
  };
}
