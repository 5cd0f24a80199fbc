import { defineSubgraph } from '@loyalty/platform/graph/subgraph';
import * as bulkAwards from './bulk-awards/bulk-awards.resolvers.ts';
import * as captures from './captures/captures.resolvers.ts';
import * as consents from './consents/consents.resolvers.ts';
import * as couponPools from './coupons/coupon-pools.resolvers.ts';
import * as coupons from './coupons/coupons.resolvers.ts';
import * as enrollment from './enrollment/enrollment.resolvers.ts';
import * as enrollmentForms from './enrollment-forms/enrollment-forms.resolvers.ts';
import * as exports from './exports/exports.resolvers.ts';
import * as customFields from './fields/custom-fields.resolvers.ts';
import * as imports from './imports/imports.resolvers.ts';
import * as journeySteps from './journey-steps/journey-steps.resolvers.ts';
import * as memberDetails from './member-details/member-details.resolvers.ts';
import * as memberStatus from './member-status/member-status.resolvers.ts';
import * as members from './members/members.resolvers.ts';
import * as objects from './objects/objects.resolvers.ts';
import * as points from './points/points.resolvers.ts';
import * as referrals from './referrals/referrals.resolvers.ts';
import * as signIn from './sign-in/sign-in.resolvers.ts';
import * as tiers from './tiers/tiers.resolvers.ts';
import * as visits from './visits/visits.resolvers.ts';

/** Members and their data: consents, fields, points, tiers, coupons, objects, referrals and visits. */
export const loyalty = defineSubgraph('loyalty', import.meta.dirname, [
  members,
  memberDetails,
  memberStatus,
  consents,
  customFields,
  signIn,
  enrollment,
  enrollmentForms,
  captures,
  imports,
  points,
  bulkAwards,
  tiers,
  couponPools,
  coupons,
  objects,
  referrals,
  visits,
  journeySteps,
  exports,
]);
