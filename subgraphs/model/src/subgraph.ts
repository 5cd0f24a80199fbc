import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as analyses from './analyses/analyses.resolvers.ts';
import * as capabilities from './capabilities/capabilities.resolvers.ts';
import * as dataImports from './data-imports/data-imports.resolvers.ts';
import * as deposits from './deposits/deposits.resolvers.ts';
import * as estimates from './estimates/estimates.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as memberMappings from './member-mappings/member-mappings.resolvers.ts';
import * as memberPredictions from './member-predictions/member-predictions.resolvers.ts';
import * as memberStates from './member-states/member-states.resolvers.ts';
import * as serviceQuotes from './service-quotes/service-quotes.resolvers.ts';
import * as subscriptions from './subscriptions/subscriptions.resolvers.ts';
import * as wallet from './wallet/wallet.resolvers.ts';

/** Credits and what they pay for: imported facts, the standard model, capabilities, predictions. */
export const model = defineSubgraph('model', import.meta.dirname, [
  analyses,
  capabilities,
  dataImports,
  deposits,
  estimates,
  memberData,
  memberMappings,
  memberPredictions,
  memberStates,
  serviceQuotes,
  subscriptions,
  wallet,
]);
