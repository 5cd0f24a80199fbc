import { UnsubscribeDocument, UnsubscribeStatusDocument } from '#generated/graphql';
import { GET, POST } from '../../../table/row.ts';

export const unsubscribeRoutes = [
  POST('/api/v2/members/unsubscribe', UnsubscribeDocument),
  GET('/api/v2/members/unsubscribe', UnsubscribeStatusDocument),
];
