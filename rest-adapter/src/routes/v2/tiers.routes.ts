import { MemberTierDocument } from '#generated/graphql';
import { GET } from '../../row.ts';

export const tiersRoutes = [GET('/api/v2/members/:memberId/tier', MemberTierDocument)];
