import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as activity from './activity/activity.resolvers.ts';
import * as bulkAwards from './bulk-awards/bulk-awards.resolvers.ts';
import * as customFields from './custom-fields/custom-fields.resolvers.ts';
import * as memberRefs from './member-refs/member-refs.resolvers.ts';
import * as memberSessions from './member-sessions/member-sessions.resolvers.ts';
import * as memberStatus from './member-status/member-status.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as pointLots from './point-lots/point-lots.resolvers.ts';
import * as points from './points/points.resolvers.ts';
import * as programs from './programs/programs.resolvers.ts';
import * as tierRules from './tier-rules/tier-rules.resolvers.ts';
import * as tiers from './tiers/tiers.resolvers.ts';

/** Members, their status, custom fields, points and tiers, and what happens to a member. */
export const loyalty = defineSubgraph('loyalty', import.meta.dirname, [
  members,
  memberStatus,
  memberRefs,
  memberSessions,
  customFields,
  points,
  pointLots,
  bulkAwards,
  programs,
  tiers,
  tierRules,
  activity,
]);
