import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as activity from './activity/activity.resolvers.ts';
import * as customFields from './custom-fields/custom-fields.resolvers.ts';
import * as imports from './imports/imports.resolvers.ts';
import * as memberRefs from './member-refs/member-refs.resolvers.ts';
import * as memberSessions from './member-sessions/member-sessions.resolvers.ts';
import * as memberStatus from './member-status/member-status.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as points from './points/points.resolvers.ts';
import * as tiers from './tiers/tiers.resolvers.ts';

/** Members, their status, custom fields, points and tiers, and what happens to a member. */
export const loyalty = defineSubgraph('loyalty', import.meta.dirname, [
  members,
  memberStatus,
  memberRefs,
  memberSessions,
  customFields,
  points,
  tiers,
  activity,
  imports,
]);
