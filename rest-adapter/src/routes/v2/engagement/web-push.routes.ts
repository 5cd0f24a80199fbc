import { SubscribeWebPushDocument, UnsubscribeWebPushDocument, WebPushDocument } from '#generated/graphql';
import { DELETE, GET, POST } from '../../../table/row.ts';

export const webPushRoutes = [
  POST('/api/member/web-push', SubscribeWebPushDocument),
  GET('/api/member/web-push', WebPushDocument),
  DELETE('/api/member/web-push', UnsubscribeWebPushDocument),
];
