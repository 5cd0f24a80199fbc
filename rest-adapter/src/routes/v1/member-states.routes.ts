import { GetMemberStateDocument, ListMemberStatesDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const memberStatesRoutes = [
  GET('/api/v1/member-states', ListMemberStatesDocument),
  GET('/api/v1/member-states', GetMemberStateDocument, { about: { member_id: 'member state' } }),
];
