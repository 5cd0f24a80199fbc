import { AwardPointsDocument, MemberPointsDocument } from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const pointsRoutes = [
  GET('/api/v2/members/:memberId/points', MemberPointsDocument),
  POST('/api/v2/members/:memberId/points', AwardPointsDocument),
];
