import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as proposals from './alignment/proposals/proposals.resolvers.ts';
import * as staleness from './alignment/staleness/staleness.resolvers.ts';
import * as bulkJobs from './bulk-jobs/bulk-jobs.resolvers.ts';
import * as capabilities from './capabilities/capabilities.resolvers.ts';
import * as credits from './credits/credits.resolvers.ts';
import * as imports from './imports/data-imports.resolvers.ts';
import * as memberStates from './member-states/member-states.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as schedules from './schedules/schedules.resolvers.ts';
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
  bulkJobs,
  capabilities,
  cards,
  credits,
  differences,
  imports,
  inference,
  memberPredictions,
  memberStates,
  members,
  proposals,
  publication,
  reports,
  reviews,
  schedules,
  staleness,
  versionEvents,
  versions,
]);
