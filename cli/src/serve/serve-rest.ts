import { readFileSync } from 'node:fs';
import { limits } from '@loyalty/gateway/admission/limits';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import type { Config } from '@loyalty/platform/config/config';
import { clientAddress } from '@loyalty/platform/config/trusted-proxies';
import { addAccessLog } from '@loyalty/platform/http/access-log';
import { addCors } from '@loyalty/platform/http/cors';
import { addMetrics } from '@loyalty/platform/http/health';
import { httpServer } from '@loyalty/platform/http/http-server';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { addReadiness } from '@loyalty/platform/http/readiness';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import '@loyalty/platform/http/http-request';
import { limitLargeBodies } from '@loyalty/platform/http/large-bodies';
import { bodyBounds, boundBodies } from '@loyalty/platform/http/request-bodies';
import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { traceRequests } from '@loyalty/platform/observe/request-spans';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import { MCP_PATH, mcp, mcpOperations } from '@loyalty/rest-adapter/mcp/mcp';
import { remoteGraph } from '@loyalty/rest-adapter/remote-graph';
import { rows } from '@loyalty/rest-adapter/table/rows';
import type { FastifyInstance } from 'fastify';
import { readStatelessConfig } from '../environment.ts';
import { listen } from './listen.ts';

/**
 * Serves REST and MCP in a process of its own. It calls the gateway over HTTP. The gateway checks credentials
 * and limits, and writes the call log.
 */
export async function serveRestAdapter(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const config = readStatelessConfig(env);
  const telemetry = await startTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: 'loyalty-rest-adapter',
  });
  const log = createLog({ level: config.LOG_LEVEL, name: 'rest-adapter' });
  const cookie = memberCookie(config);
  const timeoutMs = config.SUBGRAPH_TIMEOUT_MS * 2;
  const graph = remoteGraph(config.GATEWAY_URL, timeoutMs, callerSecrets(config), cookie);
  const app = httpServer(log, config, {
    requestTimeout: bodyBounds.fileMs,
    bodyLimit: limits.bodyBytes,
  });
  traceRequests(app);
  app.decorate('publicUrl', publicUrl(config));
  app.decorateRequest('refused', null);
  app.decorateRequest('address', '');
  boundBodies(app);
  limitLargeBodies(app);
  addCors(app, config.CORS_ORIGINS);
  const addressOf = clientAddress(config.TRUST_PROXY);
  app.addHook('onRequest', async (request) => {
    request.address = addressOf(request.raw);
  });
  addAccessLog(app, log, config);
  measure(app, config);
  addReadiness(app, async () => ((await graph.isReady()) ? null : 'gateway away'));
  const supergraphSdl = readFileSync(supergraphFile, 'utf8');
  const table = { rows, schema: apiSchemaOf(supergraphSdl), access: accessMap(supergraphSdl) };
  await app.register(namedPlugin(restAdapter), {
    ...table,
    graph,
    memberCookie: cookie,
  });
  await app.register(namedPlugin(mcp), { ...table, graph, config });
  const delayMs = config.SHUTDOWN_DELAY_MS;
  const stop = [() => app.withdraw(delayMs), () => app.close(), () => graph.close(), () => telemetry.stop()];
  stopOnSignal(log, stop, delayMs);
  say(`rest-adapter ready on ${await listen(app, config)}`);
}

/** Counts the requests to rows and tools, and serves the counts at /metrics. */
function measure(app: FastifyInstance, config: Config): void {
  const metrics = createMetrics();
  metrics.knowOperations([
    ...rows.map(({ method, path }) => `${method} ${path}`),
    ...mcpOperations({ rows }),
  ]);
  app.addHook('onResponse', async ({ method, operation: named, routeOptions }, reply) => {
    const { url } = routeOptions;
    if (!url?.startsWith('/api/')) return;
    metrics.observeRequest({
      channel: url === MCP_PATH ? 'mcp' : 'rest',
      operation: named ?? `${method} ${url}`,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
  });
  addMetrics(app, metrics, config);
}
