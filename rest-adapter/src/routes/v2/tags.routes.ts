import {
  ListTagsDocument,
  MemberTagsDocument,
  TagMemberDocument,
  UntagMemberDocument,
} from '#generated/graphql';
import { DELETE, GET, POST } from '../../table/row.ts';

export const tagsRoutes = [
  GET('/api/v2/tags', ListTagsDocument),
  GET('/api/v2/members/:id/tags', MemberTagsDocument),
  POST('/api/v2/members/:id/tags', TagMemberDocument),
  DELETE('/api/v2/members/:id/tags/:tagKey', UntagMemberDocument),
];
