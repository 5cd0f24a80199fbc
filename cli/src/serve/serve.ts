import { type SubgraphName, subgraphNames } from '@loyalty/platform/base/subgraph-name';
import { ConfigError } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { callerSecrets, subgraphUrl } from '@loyalty/platform/identity/subgraph-addresses';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { createServices } from '@loyalty/platform/services';
import { type ConnectedConfig, sharedEnvironment } from '../environment.ts';
import { loadSubgraph } from '../load-subgraph.ts';
import { withPoolSizes } from '../pool-sizes.ts';
import { listen } from './listen.ts';

// Each process imports only its own part, after its settings have been checked.

type Say = (line: string) => void;
type Opened = Services & { readonly config: ConnectedConfig; close(): Promise<void> };

/** Serves the gateway and REST. The subgraphs run in other processes. */
export async function serveGateway(env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  await serve(env, 'gateway', say, async (services) => {
    const { composeGateway, remoteTransports } = await import('./compose-process.ts');
    const gateway = await composeGateway(services, remoteTransports(services));
    const { app } = gateway;
    const stop = [() => app.withdraw(services.config.SHUTDOWN_DELAY_MS), () => gateway.close()];
    return { stop, url: await listen(app, services.config) };
  });
}

const isSubgraph = (name: string): name is SubgraphName => Object.hasOwn(loadSubgraph, name);

/** Serves one subgraph, on the port of its `<NAME>_URL` unless PORT is set. */
export async function serveSubgraph(env: NodeJS.ProcessEnv, name: string, say: Say): Promise<void> {
  if (!isSubgraph(name))
    throw new ConfigError(`There is no subgraph ${name}: choose one of ${subgraphNames.join(', ')}.`);
  await serve(env, name, say, async (services) => {
    const { config } = services;
    const { subgraphServer } = await import('@loyalty/platform/graph/subgraph-server');
    const app = subgraphServer(await loadSubgraph[name](), services, callerSecrets(config));
    const PORT = env['PORT'] ? config.PORT : Number(new URL(subgraphUrl(config, name)).port || 80);
    const stop = [() => app.withdraw(config.SHUTDOWN_DELAY_MS), () => app.close()];
    return { stop, url: await listen(app, { HOST: config.HOST, PORT }) };
  });
}

/** Runs the worker. Its port serves only health and metrics. */
export async function serveWorker(env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  await serve(env, 'worker', say, async (services) => {
    const { startWorker } = await import('@loyalty/worker/worker');
    const { workerServer } = await import('./worker-server.ts');
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
