import { MemberTierDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const tiersRoutes = [
  GET('/api/v2/members/:memberId/tier', MemberTierDocument, { tool: { name: 'tier_get' } }),
];
