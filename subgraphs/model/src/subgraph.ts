import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as memberPredictions from './member-predictions/member-predictions.resolvers.ts';
import * as wallet from './wallet/wallet.resolvers.ts';

/** Credits and what they pay for: predictions, training, bulk refresh. */
export const model = defineSubgraph('model', import.meta.dirname, [wallet, memberPredictions]);
