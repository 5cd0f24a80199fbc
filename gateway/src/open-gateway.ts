import { anonymous } from '@loyalty/platform/base/caller';
import { systemClock } from '@loyalty/platform/base/clock';
import { clientGone } from '@loyalty/platform/http/http-request';
import { httpServer } from '@loyalty/platform/http/http-server';
import { addReadiness } from '@loyalty/platform/http/readiness';
import { userCookie } from '@loyalty/platform/identity/session-cookie';
import { createMemoryLive } from '@loyalty/platform/live/live-memory';
import type { Log } from '@loyalty/platform/observe/log';
import type { Metrics } from '@loyalty/platform/observe/metrics';
import { traceRequests } from '@loyalty/platform/observe/request-spans';
import type { FastifyInstance } from 'fastify';
import { createGraph } from './graph.ts';
import { createApollo } from './http/apollo.ts';
import { addGraphQL } from './http/graphql-route.ts';
import { decorateRequests, requestId } from './http/requests.ts';
import { automaticPersisted } from './operations/persisted.ts';
import { keptInMemory } from './operations/persisted-texts.ts';
import type { SocketParts } from './sockets/connection-operations.ts';
import { addSockets } from './sockets/sockets.ts';
import { loadSupergraph, type Supergraph } from './supergraph/supergraph.ts';
import type { Transport, Transports } from './transport/transport.ts';

const BODY_MAX_BYTES = 8 * 1024 * 1024;

interface OpenGatewayOptions {
  readonly supergraphSdl: string;
  /** Makes the transport to a subgraph, from its name and its address in the supergraph. */
  readonly connect: (name: string, url: string) => Transport;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface OpenGateway {
  /** Not listening yet. */
  readonly app: FastifyInstance;
  /** Serves another supergraph from the next request on. Running requests finish on the old one. */
  replace(supergraphSdl: string): void;
  close(): Promise<void>;
}

/** Creates a gateway in front of any supergraph: no credentials, no limits, errors of subgraphs unchanged. */
export async function createOpenGateway(options: OpenGatewayOptions): Promise<OpenGateway> {
  const { log } = options;
  const known = new Map<string, Transport>();

  /** Subgraphs with an unchanged address keep their transport. */
  function load(sdl: string): { supergraph: Supergraph; transports: Transports } {
    const supergraph = loadSupergraph(sdl);
    const transports = Object.fromEntries(
      supergraph.federated.subgraphsMetadata().map(({ name, url }) => {
        const key = `${name} ${url}`;
        const transport = known.get(key) ?? options.connect(name, url);
        known.set(key, transport);
        return [name, transport];
      }),
    );
    return { supergraph, transports };
  }

  const graph = createGraph({ ...load(options.supergraphSdl), log, isOpen: true });
  const persisted = automaticPersisted(keptInMemory());
  const apollo = await createApollo(graph, log, { isOpen: true, persisted });
  const app = createApp(log);
  const live = createMemoryLive();
  const services = {
    log,
    live,
    clock: systemClock,
    metrics: options.metrics,
    config: { TRUST_PROXY: 0 },
  };
  const sockets = addSockets(app, services, { graph, persisted, ...anonymousAccess });
  addGraphQL(app, { graph, apollo, persisted, sockets, isOpen: true });
  return {
    app,
    replace(sdl) {
      graph.replace(load(sdl));
      log.info('serving another supergraph');
    },
    async close() {
      await app.close();
      await apollo.stop();
      await Promise.all([...known.values()].map((transport) => transport.close()));
    },
  };
}

/** Every caller is anonymous, without limits and call log. */
const anonymousAccess: Pick<SocketParts, 'authenticator' | 'rateLimits' | 'callLog' | 'userCookie'> = {
  authenticator: {
    authenticate: async () => anonymous,
    identify: async () => ({ caller: anonymous, expiresAt: null }),
    close() {},
  },
  rateLimits: {
    consume: async () => ({ allowed: true, limit: 0, remaining: 0, resetSeconds: 0, windowSeconds: 0 }),
    close() {},
  },
  callLog: { record() {}, async close() {} },
  userCookie: userCookie({ isProduction: false }),
};

function createApp(log: Log): FastifyInstance {
  const app = httpServer(log, {}, { bodyLimit: BODY_MAX_BYTES, genReqId: requestId });
  traceRequests(app);
  decorateRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = anonymous;
    request.address = request.ip;
    request.gone = clientGone(reply);
    done();
  });
  addReadiness(app, async () => null);
  return app;
}
