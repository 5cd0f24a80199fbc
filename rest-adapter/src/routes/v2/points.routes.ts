import { AwardPointsDocument, MemberPointsDocument } from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const pointsRoutes = [
  GET('/api/v2/members/:memberId/points', MemberPointsDocument, { tool: { name: 'points_balance' } }),
  POST('/api/v2/members/:memberId/points', AwardPointsDocument, { tool: { name: 'points_award' } }),
];
