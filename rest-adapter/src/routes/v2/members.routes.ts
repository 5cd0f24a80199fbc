import {
  CreateMemberDocument,
  GetMemberDocument,
  ListMembersDocument,
  UpdateMemberDocument,
} from '#generated/graphql';
import { GET, PATCH, POST } from '../../table/row.ts';

/** The documents write `fullName` and read `name`; a client that writes what it read is understood. */
const also = { name: 'fullName' };

export const membersRoutes = [
  GET('/api/v2/members', ListMembersDocument),
  POST('/api/v2/members', CreateMemberDocument, { status: 201, also }),
  GET('/api/v2/members/:id', GetMemberDocument),
  PATCH('/api/v2/members/:id', UpdateMemberDocument, { also }),
];
