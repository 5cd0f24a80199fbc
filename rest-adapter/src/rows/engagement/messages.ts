import {
  SendTransactionalDocument,
  SubscribeWebPushDocument,
  UnsubscribeDocument,
  UnsubscribeStatusDocument,
  UnsubscribeWebPushDocument,
  WebPushDocument,
} from '#generated/graphql';
import { DELETE, GET, POST } from '../../table/row.ts';

export const transactionalRoutes = [
  POST('/api/v2/transactional/send', SendTransactionalDocument, {
    tool: { name: 'message_send', isOpenWorld: true },
    status: 202,
  }),
];

export const webPushRoutes = [
  POST('/api/member/web-push', SubscribeWebPushDocument),
  GET('/api/member/web-push', WebPushDocument),
  DELETE('/api/member/web-push', UnsubscribeWebPushDocument),
];

export const unsubscribeRoutes = [
  POST('/api/v2/members/unsubscribe', UnsubscribeDocument),
  GET('/api/v2/members/unsubscribe', UnsubscribeStatusDocument),
];
