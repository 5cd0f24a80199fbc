import { UpsertMembersDocument } from '#generated/graphql';
import { POST } from '../../table/row.ts';

export const memberBatchRoutes = [
  POST('/api/v2/members/batch', UpsertMembersDocument, { isBatch: true, itemsField: 'members' }),
];
