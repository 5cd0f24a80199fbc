import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as emailEngagement from './email-engagement/email-engagement.resolvers.ts';
import * as memberData from './member-data/member-data.resolvers.ts';
import * as suppressions from './suppressions/suppressions.resolvers.ts';

/** What reaches members, and what must not. */
export const engagement = defineSubgraph('engagement', import.meta.dirname, [
  suppressions,
  memberData,
  emailEngagement,
]);
