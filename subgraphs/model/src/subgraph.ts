import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as alignmentInference from './alignment/inference/alignment-inference.resolvers.ts';
import * as proposals from './alignment/proposals/proposals.resolvers.ts';
import * as staleness from './alignment/staleness/staleness.resolvers.ts';
import * as analyses from './answers/analyses/analyses.resolvers.ts';
import * as capabilities from './answers/capabilities/capabilities.resolvers.ts';
import * as estimates from './answers/estimates/estimates.resolvers.ts';
import * as memberSignals from './answers/member-signals/member-signals.resolvers.ts';
import * as memberStates from './answers/member-states/member-states.resolvers.ts';
import * as bulkJobs from './bulk-jobs/jobs/bulk-jobs.resolvers.ts';
import * as bulkResults from './bulk-jobs/results/bulk-results.resolvers.ts';
import * as creditStatistics from './credits/credit-statistics/credit-statistics.resolvers.ts';
import * as deposits from './credits/deposits/deposits.resolvers.ts';
import * as serviceQuotes from './credits/service-quotes/service-quotes.resolvers.ts';
import * as subscriptions from './credits/subscriptions/subscriptions.resolvers.ts';
import * as wallet from './credits/wallet/wallet.resolvers.ts';
import * as dataImports from './facts/data-imports/data-imports.resolvers.ts';
import * as memberMappings from './facts/member-mappings/member-mappings.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as scheduleSamples from './schedules/samples/schedule-samples.resolvers.ts';
import * as schedules from './schedules/schedules/schedules.resolvers.ts';
import * as memberPredictions from './scoring/member-predictions/member-predictions.resolvers.ts';
import * as cards from './training/cards/cards.resolvers.ts';
import * as versionEvents from './training/history/version-events.resolvers.ts';
import * as inference from './training/inference/inference.resolvers.ts';
import * as publication from './training/publication/publication.resolvers.ts';
import * as reports from './training/reports/reports.resolvers.ts';
import * as differences from './training/reviews/differences.resolvers.ts';
import * as reviews from './training/reviews/reviews.resolvers.ts';
import * as versions from './training/versions/versions.resolvers.ts';

/** Credits and what they pay for: imported facts, the standard model, capabilities, predictions. */
export const model = defineSubgraph('model', import.meta.dirname, [
  alignmentInference,
  analyses,
  bulkJobs,
  bulkResults,
  capabilities,
  cards,
  dataImports,
  deposits,
  differences,
  estimates,
  inference,
  memberData,
  memberMappings,
  memberPredictions,
  memberStates,
  memberSignals,
  proposals,
  publication,
  reports,
  reviews,
  scheduleSamples,
  schedules,
  serviceQuotes,
  staleness,
  subscriptions,
  versionEvents,
  versions,
  wallet,
  creditStatistics,
]);
