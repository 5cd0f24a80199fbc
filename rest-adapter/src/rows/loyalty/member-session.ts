import {
  CompleteMemberSignInByTokenDocument,
  CompleteMemberSignInDocument,
  SignOutMemberDocument,
  StartMemberSignInDocument,
} from '#generated/graphql';
import { DELETE, POST } from '../../table/row.ts';

export const memberSessionRoutes = [
  POST('/api/member/session', StartMemberSignInDocument),
  POST('/api/member/session', CompleteMemberSignInDocument, {
    about: { id: 'member session' },
    session: 'starts',
  }),
  POST('/api/member/session', CompleteMemberSignInByTokenDocument, {
    about: { token: 'member session' },
    session: 'starts',
  }),
  DELETE('/api/member/session', SignOutMemberDocument, { session: 'ends' }),
];
