import type { Config } from '@loyalty/platform/config/config';
import { localPeers } from '@loyalty/platform/graph/peers';
import { stopOnSignal } from '@loyalty/platform/http/shutdown';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { createServices } from '@loyalty/platform/services';
import { startWorker } from '@loyalty/worker/worker';
import { openEnvironment } from '../environment.ts';
import { withPoolSizes } from '../pool-sizes.ts';
import { claimDemo } from '../seed/claim-demo.ts';
import { movableClock } from '../seed/movable-clock.ts';
import { demoSignIn, seedIfEmpty } from '../seed/seed.ts';
import { localTransports, subgraphs } from '../subgraphs.ts';
import { composeGateway } from './compose-process.ts';
import { listen } from './listen.ts';

/** Returns the address at which this process reaches its own port. */
const ownUrl = ({ HOST, PORT }: Config): string =>
  `http://${['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST}:${PORT}`;

/** Runs everything in one process on one port: database, subgraphs, gateway, REST and worker. */
export async function start(given: Config, say: (line: string) => void): Promise<void> {
  const environment = await openEnvironment(given, say);
  const lock = environment.config.LOYALTY_DEMO ? await claimDemo(environment.config, say) : null;
  const config = await withPoolSizes(environment.config, 'everything');
  const telemetry = await startTelemetry({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: 'loyalty',
  });
  const clock = movableClock();
  const opened = await createServices(config, 'loyalty', { peers: localPeers(subgraphs), clock });
  const services = { ...opened, config, clock };
  const gateway = await composeGateway(services, localTransports(services));
  const worker = await startWorker({ ...services, config: { ...config, GATEWAY_URL: ownUrl(config) } });
  const stop = [
    () => gateway.close(),
    () => worker.stop(),
    () => services.close(),
    () => telemetry.stop(),
    () => environment.close(),
  ];
  const stopping = new AbortController();
  const startServing = async () => {
    if (lock) {
      const signal = AbortSignal.any([stopping.signal, lock.lost]);
      await seedIfEmpty(services, { supergraph: gateway.graph.supergraph, say, signal });
      await lock.release();
    }
    const signIn = lock && (await demoSignIn(services));
    const url = await listen(gateway.app, config);
    say(`Ready on ${url} (GraphQL at ${url}/graphql, REST at ${url}/api/v2, documentation at ${url}/docs)`);
    if (signIn) say(signIn);
  };
  const startup = startServing();
  const stopServing = async () => {
    stopping.abort();
    // The next steps close services that the startup still uses, so the startup must end first.
    await startup.catch(() => {});
    await gateway.app.withdraw(config.SHUTDOWN_DELAY_MS);
  };
  stopOnSignal(services.log, [stopServing, ...stop], config.SHUTDOWN_DELAY_MS);
  try {
    await startup;
  } catch (error) {
    // A signal has interrupted the startup. The steps that it started end the process.
    if (stopping.signal.aborted) return;
    for (const step of stop) await step();
    throw error;
  }
}
