import {
  ListTagsDocument,
  MemberTagsDocument,
  TagMemberDocument,
  UntagMemberDocument,
} from '#generated/graphql';
import { DELETE, GET, POST } from '../../table/row.ts';

export const tagsRoutes = [
  GET('/api/v2/tags', ListTagsDocument, { tool: { name: 'tags_list' } }),
  GET('/api/v2/members/:id/tags', MemberTagsDocument, { tool: { name: 'member_tags_list' } }),
  POST('/api/v2/members/:id/tags', TagMemberDocument, { tool: { name: 'member_tag' } }),
  DELETE('/api/v2/members/:id/tags/:tagKey', UntagMemberDocument, { tool: { name: 'member_untag' } }),
];
