import type { DecisionScores } from '@loyalty/model-subgraph/credits/charges';
import { setDecisionScores } from '@loyalty/model-subgraph/credits/wallet.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import { isUuid } from '@loyalty/platform/base/ids';
import { ConfigError } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { openEnvironment, readConfig } from '../environment.ts';

const contracts = new Map<string, DecisionScores>([
  ['included', 'INCLUDED'],
  ['separate', 'SEPARATE'],
]);

/**
 * Sets whether the contract of a workspace includes scores in the price of a decision, or charges them
 * separately.
 *
 * @param decisionScores - `included` or `separate`
 * @throws ConfigError that says what to correct
 */
export async function setContract(
  env: NodeJS.ProcessEnv,
  workspaceId: string,
  decisionScores: string,
  say: (line: string) => void,
): Promise<void> {
  const contract = contracts.get(decisionScores);
  if (!contract) throw new ConfigError('--decision-scores must be included or separate.');
  if (!isUuid(workspaceId)) throw new ConfigError('The workspace must be given by its id, a UUID.');
  const environment = await openEnvironment(readConfig(env), say);
  const services = await createServices(environment.config, 'wallet');
  try {
    const caller = systemCaller('operator', { workspaceId, mode: 'LIVE' });
    await setDecisionScores(createContext(services, { caller, requestId: 'wallet-contract' }), contract);
    say(`Scores that come with a decision are now ${decisionScores}: workspace ${workspaceId}.`);
  } catch (error) {
    throw error instanceof AppError ? new ConfigError(error.message) : error;
  } finally {
    await services.close();
    await environment.close();
  }
}
