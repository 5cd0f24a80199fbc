import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { startWorker } from '@loyalty/worker/worker';
import { openEnvironment } from '../environment.ts';
import { composeGateway, localTransports } from '../serve/compose-process.ts';
import { subgraphs } from '../subgraphs.ts';
import { movableClock } from './movable-clock.ts';
import { seedIfEmpty } from './seed.ts';

/** `loyalty seed`: the demo workspace, in an empty database only. */
export async function seed(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const environment = await openEnvironment(env, say);
  const clock = movableClock();
  const parts = { peers: localPeers(subgraphs), clock };
  const services = { ...(await createServices(environment.config, 'seed', parts)), clock };
  const gateway = await composeGateway(services, localTransports(services));
  // It finds the members of segments and sends the campaign.
  const worker = await startWorker({ ...services, config: environment.config });
  try {
    const seeded = await seedIfEmpty(services, gateway.graph, say);
    if (!seeded) say('Nothing was seeded: the database already holds a workspace.');
  } finally {
    await gateway.close();
    await worker.stop();
    await services.close();
    await environment.close();
  }
}
