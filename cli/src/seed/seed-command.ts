import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { startWorker } from '@loyalty/worker/worker';
import { openEnvironment, readConfig } from '../environment.ts';
import { composeGateway } from '../serve/compose-process.ts';
import { localTransports, subgraphs } from '../subgraphs.ts';
import { claimDemo } from './claim-demo.ts';
import { movableClock } from './movable-clock.ts';
import { demoSignIn, seedIfEmpty } from './seed.ts';

/** Adds the demo workspace to an empty database. */
export async function seed(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const environment = await openEnvironment(readConfig(env), say);
  const lock = await claimDemo(environment.config, say);
  const clock = movableClock();
  const parts = { peers: localPeers(subgraphs), clock };
  const services = {
    ...(await createServices(environment.config, 'seed', parts)),
    config: environment.config,
    clock,
  };
  const gateway = await composeGateway(services, localTransports(services));
  // The worker finds the members of segments and sends the campaign.
  const worker = await startWorker(services);
  try {
    const { supergraph } = gateway.graph;
    const seeded = await seedIfEmpty(services, { supergraph, say, signal: lock.lost });
    if (!seeded) say('Nothing was seeded: the database already holds a workspace.');
    const signIn = await demoSignIn(services);
    if (signIn) say(signIn);
  } finally {
    await gateway.close();
    await worker.stop();
    await services.close();
    await lock.release();
    await environment.close();
  }
}
