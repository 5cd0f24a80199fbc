import { offerServiceQuote } from '@loyalty/model-subgraph/credits/service-quotes.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { ConfigError } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { openEnvironment, readConfig } from '../environment.ts';

/** Offers a brand service to a workspace. @throws ConfigError that says what to correct */
export async function offerQuote(
  env: NodeJS.ProcessEnv,
  workspaceId: string,
  offer: { readonly title: string; readonly credits: number; readonly days: number },
  say: (line: string) => void,
): Promise<void> {
  if (!isUuid(workspaceId)) throw new ConfigError('The workspace must be given by its id, a UUID.');
  const environment = await openEnvironment(readConfig(env), say);
  const services = await createServices(environment.config, 'wallet');
  try {
    const caller = systemCaller('operator', { workspaceId, mode: 'LIVE' });
    const ctx = createContext(services, { caller, requestId: 'wallet-quote' });
    const id = await offerServiceQuote(ctx, offer);
    say(`Offered ${id}: the owner may accept it for ${offer.days} days.`);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(error.message) : error;
  } finally {
    await services.close();
    await environment.close();
  }
}
