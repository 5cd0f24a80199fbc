import { SendTransactionalDocument } from '#generated/graphql';
import { POST } from '../../../table/row.ts';

export const transactionalRoutes = [
  POST('/api/v2/transactional/send', SendTransactionalDocument, { status: 202 }),
];
