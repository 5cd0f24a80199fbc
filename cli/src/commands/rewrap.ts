import { createServices } from '@loyalty/platform/services';
import { openEnvironment, readConfig } from '../environment.ts';

/** Wraps every stored key with the current master key. */
export async function rewrap(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const environment = await openEnvironment(readConfig(env), say);
  const services = await createServices(environment.config, 'rewrap');
  try {
    say(`Wrapped ${await services.keyring.rewrapKeys()} keys anew.`);
  } finally {
    await services.close();
    await environment.close();
  }
}
