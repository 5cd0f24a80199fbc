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
  GET('/api/v2/members', ListMembersDocument),
  POST('/api/v2/members', CreateMemberDocument, { status: 201, also }),
  GET('/api/v2/members/:id', GetMemberDocument),
  PATCH('/api/v2/members/:id', UpdateMemberDocument, { also }),
];
