import { GetMemberStateDocument, ListMemberStatesDocument } from '#generated/graphql';
import { GET } from '../../table/row.ts';

export const memberStatesRoutes = [
  GET('/api/v1/member-states', ListMemberStatesDocument, { tool: { name: 'member_states_list' } }),
  GET('/api/v1/member-states', GetMemberStateDocument, {
    tool: { name: 'member_states_get' },
    about: { member_id: 'member state' },
  }),
];
