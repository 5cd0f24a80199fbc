import type { Services } from '@loyalty/platform/context';
import { callerSecrets, subgraphUrl } from '@loyalty/platform/graph/subgraph-addresses';
import type { SubgraphName } from '@loyalty/platform/graph/subgraph-name';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { ConfigError } from '@loyalty/platform/operations/config';
import { startTelemetry } from '@loyalty/platform/operations/tracing/telemetry';
import { createServices } from '@loyalty/platform/services';
import { startWorker } from '@loyalty/worker/worker';
import { type ConnectedConfig, sharedEnvironment } from '../environment.ts';
import { withPoolSizes } from '../pool-sizes.ts';
import { subgraphs } from '../subgraphs.ts';
import { composeGateway, remoteTransports } from './compose-process.ts';
import { listen } from './listen.ts';
import { workerServer } from './worker-server.ts';

type Say = (line: string) => void;
type Opened = Services & { readonly config: ConnectedConfig; close(): Promise<void> };

/** The gateway and REST, over subgraphs in other processes. */
export async function serveGateway(env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  await serve(env, 'gateway', say, async (services) => {
    const gateway = await composeGateway(services, remoteTransports(services));
    const { app } = gateway;
    const stop = [() => app.withdraw(services.config.SHUTDOWN_DELAY_MS), () => gateway.close()];
    return { stop, url: await listen(app, services.config) };
  });
}

/** One subgraph, on the port of its `<NAME>_URL` unless PORT is set. */
export async function serveSubgraph(env: NodeJS.ProcessEnv, name: string, say: Say): Promise<void> {
  if (!Object.hasOwn(subgraphs, name)) {
    throw new ConfigError(
      `There is no subgraph ${name}: choose one of ${Object.keys(subgraphs).join(', ')}.`,
    );
  }
  await serve(env, name, say, async (services) => {
    const { config } = services;
    const app = subgraphServer(subgraphs[name as SubgraphName], services, callerSecrets(config));
    const PORT = env['PORT']
      ? config.PORT
      : Number(new URL(subgraphUrl(config, name as SubgraphName)).port || 80);
    const stop = [() => app.withdraw(config.SHUTDOWN_DELAY_MS), () => app.close()];
    return { stop, url: await listen(app, { HOST: config.HOST, PORT }) };
  });
}

/** The worker; its port serves health and metrics only. */
export async function serveWorker(env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  await serve(env, 'worker', say, async (services) => {
    const worker = await startWorker(services);
    const app = workerServer(services);
    const PORT = env['PORT'] ? services.config.PORT : 4_006;
    const url = await listen(app, { HOST: services.config.HOST, PORT });
    return { stop: [() => app.close(), () => worker.stop()], url };
  });
}

async function serve(
  env: NodeJS.ProcessEnv,
  role: string,
  say: Say,
  open: (services: Opened) => Promise<{ stop: (() => Promise<void>)[]; url: string }>,
): Promise<void> {
  const part = role === 'worker' ? 'worker' : 'service';
  const config = await withPoolSizes(sharedEnvironment(env).config, part);
  const telemetry = await startTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: `loyalty-${role}`,
  });
  const services = await createServices(config, role);
  const { stop, url } = await open({ ...services, config });
  const steps = [...stop, () => services.close(), () => telemetry.stop()];
  stopOnSignal(services.log, steps, config.SHUTDOWN_DELAY_MS);
  say(`${role} ready on ${url}`);
}
