import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as couponBatches from './coupons/coupon-batches/coupon-batches.resolvers.ts';
import * as couponPools from './coupons/coupon-pools/coupon-pools.resolvers.ts';
import * as couponReservations from './coupons/coupon-reservations/coupon-reservations.resolvers.ts';
import * as coupons from './coupons/coupons/coupons.resolvers.ts';
import * as exports from './exports/exports.resolvers.ts';
import * as captures from './joining/captures/captures.resolvers.ts';
import * as enrollment from './joining/enrollment/enrollment.resolvers.ts';
import * as enrollmentForms from './joining/enrollment-forms/enrollment-forms.resolvers.ts';
import * as importedMembers from './joining/imported-members/imported-members.resolvers.ts';
import * as imports from './joining/imports/imports.resolvers.ts';
import * as journeySteps from './journey-steps/journey-steps.resolvers.ts';
import * as consents from './members/consents/consents.resolvers.ts';
import * as customFields from './members/custom-fields/custom-fields.resolvers.ts';
import * as mailMembers from './members/mail-members/mail-members.resolvers.ts';
import * as memberBatch from './members/member-batch/member-batch.resolvers.ts';
import * as memberDetails from './members/member-details/member-details.resolvers.ts';
import * as memberExports from './members/member-exports/member-exports.resolvers.ts';
import * as memberProfiles from './members/member-profiles/member-profiles.resolvers.ts';
import * as memberRefs from './members/member-refs/member-refs.resolvers.ts';
import * as memberScan from './members/member-scan/member-scan.resolvers.ts';
import * as memberSessions from './members/member-sessions/member-sessions.resolvers.ts';
import * as mySessions from './members/member-sessions/my-sessions.resolvers.ts';
import * as memberSignIn from './members/member-sign-in/member-sign-in.resolvers.ts';
import * as memberStatus from './members/member-status/member-status.resolvers.ts';
import * as members from './members/members/members.resolvers.ts';
import * as profile from './members/profile/profile.resolvers.ts';
import * as tags from './members/tags/tags.resolvers.ts';
import * as conditionCatalog from './objects/condition-catalog/condition-catalog.resolvers.ts';
import * as objectRecords from './objects/object-records/object-records.resolvers.ts';
import * as objectTypes from './objects/object-types/object-types.resolvers.ts';
import * as recordProfiles from './objects/record-profiles/record-profiles.resolvers.ts';
import * as bulkAwards from './points/bulk-awards/bulk-awards.resolvers.ts';
import * as liability from './points/liability/liability.resolvers.ts';
import * as pointLots from './points/point-lots/point-lots.resolvers.ts';
import * as points from './points/points/points.resolvers.ts';
import * as pointsSource from './points/points-source/points-source.resolvers.ts';
import * as programStatistics from './points/program-statistics/program-statistics.resolvers.ts';
import * as ambassador from './referrals/ambassador/ambassador.resolvers.ts';
import * as referrals from './referrals/referrals/referrals.resolvers.ts';
import * as programs from './tiers/programs/programs.resolvers.ts';
import * as tierRules from './tiers/tier-rules/tier-rules.resolvers.ts';
import * as tiers from './tiers/tiers/tiers.resolvers.ts';
import * as visits from './visits/visits/visits.resolvers.ts';

/** Members, their status, custom fields, points and tiers. */
export const loyalty = defineSubgraph('loyalty', import.meta.dirname, [
  members,
  memberDetails,
  memberStatus,
  memberRefs,
  memberScan,
  mailMembers,
  memberProfiles,
  recordProfiles,
  memberSessions,
  memberSignIn,
  mySessions,
  memberBatch,
  importedMembers,
  journeySteps,
  memberExports,
  tags,
  consents,
  profile,
  customFields,
  points,
  pointsSource,
  programStatistics,
  liability,
  pointLots,
  bulkAwards,
  programs,
  tiers,
  visits,
  enrollment,
  enrollmentForms,
  referrals,
  ambassador,
  objectTypes,
  conditionCatalog,
  objectRecords,
  tierRules,
  captures,
  couponPools,
  couponBatches,
  coupons,
  couponReservations,
  imports,
  exports,
]);
