import { SendTransactionalDocument } from '#generated/graphql';
import { POST } from '../../../table/row.ts';

export const transactionalRoutes = [
  POST('/api/v2/transactional/send', SendTransactionalDocument, {
    tool: { name: 'message_send', isOpenWorld: true },
    status: 202,
  }),
];
