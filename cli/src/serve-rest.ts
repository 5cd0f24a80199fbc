import { readFileSync } from 'node:fs';
import { accessMap } from '@loyalty/gateway/access-map';
import { apiSchemaOf } from '@loyalty/gateway/api-schema';
import { supergraphFile } from '@loyalty/gateway/compose';
import { limits } from '@loyalty/gateway/limits';
import { createLog } from '@loyalty/platform/log';
import { stopOnSignal } from '@loyalty/platform/shutdown';
import { restAdapter } from '@loyalty/rest-adapter/adapter';
import { sendPathUnreadable } from '@loyalty/rest-adapter/errors';
import { remoteGraph } from '@loyalty/rest-adapter/remote-graph';
import { rows } from '@loyalty/rest-adapter/rows';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { readConfig } from './environment.ts';
import { listen } from './listen.ts';

/** REST as its own process; credentials, limits and call log are the gateway's, which it asks over HTTP. */
export async function serveRestAdapter(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const config = readConfig(env);
  const log = createLog({ level: config.LOG_LEVEL, name: 'rest-adapter' });
  const graph = remoteGraph(config.GATEWAY_URL, config.SUBGRAPH_TIMEOUT_MS * 2);
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY,
    bodyLimit: limits.bodyBytes,
    frameworkErrors: sendPathUnreadable,
  });
  app.decorateRequest('refused', null);
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) =>
    (await graph.isReady()) ? { status: 'ready' } : reply.status(503).send({ status: 'gateway away' }),
  );
  const supergraphSdl = readFileSync(supergraphFile, 'utf8');
  const table = { rows, schema: apiSchemaOf(supergraphSdl), access: accessMap(supergraphSdl) };
  // biome-ignore lint/nursery/noMisusedPromises: fastify awaits its plugins
  await app.register(restAdapter, { ...table, graph });
  stopOnSignal(log, [() => app.close(), () => graph.close()]);
  say(`rest-adapter ready on ${await listen(app, config)}`);
}
