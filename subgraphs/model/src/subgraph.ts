import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as alignment from './alignment/alignment.resolvers.ts';
import * as bulkJobs from './bulk-jobs/bulk-jobs.resolvers.ts';
import * as capabilities from './capabilities/capabilities.resolvers.ts';
import * as credits from './credits/credits.resolvers.ts';
import * as imports from './imports/data-imports.resolvers.ts';
import * as memberStates from './member-states/member-states.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as predictions from './predictions/member-predictions.resolvers.ts';
import * as schedules from './schedules/schedules.resolvers.ts';
import * as reviews from './training/reviews.resolvers.ts';
import * as versions from './versions/versions.resolvers.ts';

/**
 * Credits and the services that they pay for: imported facts, the standard model, capabilities, predictions.
 */
export const model = defineSubgraph('model', import.meta.dirname, [
  alignment,
  bulkJobs,
  capabilities,
  credits,
  imports,
  memberStates,
  members,
  predictions,
  reviews,
  schedules,
  versions,
]);
