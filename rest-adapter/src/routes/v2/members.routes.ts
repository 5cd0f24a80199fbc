import {
  CreateMemberDocument,
  GetMemberDocument,
  ListMembersDocument,
  UpdateMemberDocument,
} from '#generated/graphql';
import { GET, PATCH, POST } from '../../table/row.ts';

/** Requests have `fullName`, replies have `name`. Clients that send back a reply may use `name`, too. */
const also = { name: 'fullName' };

export const membersRoutes = [
  GET('/api/v2/members', ListMembersDocument, { tool: { name: 'members_list' } }),
  POST('/api/v2/members', CreateMemberDocument, { tool: { name: 'members_create' }, status: 201, also }),
  GET('/api/v2/members/:id', GetMemberDocument, { tool: { name: 'members_get' } }),
  PATCH('/api/v2/members/:id', UpdateMemberDocument, { tool: { name: 'members_update' }, also }),
];
