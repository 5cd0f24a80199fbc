import { AwardPointsDocument, MemberPointsDocument, MemberTierDocument } from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const pointsRoutes = [
  GET('/api/v2/members/:memberId/points', MemberPointsDocument, { tool: { name: 'points_balance' } }),
  POST('/api/v2/members/:memberId/points', AwardPointsDocument, { tool: { name: 'points_award' } }),
];

export const tiersRoutes = [
  GET('/api/v2/members/:memberId/tier', MemberTierDocument, { tool: { name: 'tier_get' } }),
];
