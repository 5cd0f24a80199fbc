import { defineSubgraph } from '@loyalty/platform/subgraph';
import * as activity from './activity/activity.resolvers.ts';
import * as ambassador from './ambassador/ambassador.resolvers.ts';
import * as bulkAwards from './bulk-awards/bulk-awards.resolvers.ts';
import * as captures from './captures/captures.resolvers.ts';
import * as consents from './consents/consents.resolvers.ts';
import * as couponBatches from './coupon-batches/coupon-batches.resolvers.ts';
import * as couponPools from './coupon-pools/coupon-pools.resolvers.ts';
import * as couponReservations from './coupon-reservations/coupon-reservations.resolvers.ts';
import * as coupons from './coupons/coupons.resolvers.ts';
import * as customFields from './custom-fields/custom-fields.resolvers.ts';
import * as enrollment from './enrollment/enrollment.resolvers.ts';
import * as importedMembers from './imported-members/imported-members.resolvers.ts';
import * as imports from './imports/imports.resolvers.ts';
import * as memberBatch from './member-batch/member-batch.resolvers.ts';
import * as memberExports from './member-exports/member-exports.resolvers.ts';
import * as memberRefs from './member-refs/member-refs.resolvers.ts';
import * as memberSessions from './member-sessions/member-sessions.resolvers.ts';
import * as memberStatus from './member-status/member-status.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as objectRecords from './object-records/object-records.resolvers.ts';
import * as objectTypes from './object-types/object-types.resolvers.ts';
import * as pointLots from './point-lots/point-lots.resolvers.ts';
import * as points from './points/points.resolvers.ts';
import * as profile from './profile/profile.resolvers.ts';
import * as programs from './programs/programs.resolvers.ts';
import * as referrals from './referrals/referrals.resolvers.ts';
import * as tags from './tags/tags.resolvers.ts';
import * as tierRules from './tier-rules/tier-rules.resolvers.ts';
import * as tiers from './tiers/tiers.resolvers.ts';
import * as visits from './visits/visits.resolvers.ts';

/** Members, their status, custom fields, points and tiers, and what happens to a member. */
export const loyalty = defineSubgraph('loyalty', import.meta.dirname, [
  members,
  memberStatus,
  memberRefs,
  memberSessions,
  memberBatch,
  importedMembers,
  memberExports,
  tags,
  consents,
  profile,
  customFields,
  points,
  pointLots,
  bulkAwards,
  programs,
  tiers,
  visits,
  enrollment,
  referrals,
  ambassador,
  objectTypes,
  objectRecords,
  tierRules,
  activity,
  captures,
  couponPools,
  couponBatches,
  coupons,
  couponReservations,
  imports,
]);
