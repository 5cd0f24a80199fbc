import { MemberProfileDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const profileRoutes = [
  GET('/api/v2/members/:id/profile', MemberProfileDocument, { tool: { name: 'member_profile' } }),
];
