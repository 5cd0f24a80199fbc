import {
  CreateMemberDocument,
  GetMemberDocument,
  ListCustomFieldsDocument,
  ListCustomFieldValuesDocument,
  ListMembersDocument,
  ListTagsDocument,
  MemberProfileDocument,
  MemberTagsDocument,
  TagMemberDocument,
  UntagMemberDocument,
  UpdateMemberDocument,
  UpsertMembersDocument,
} from '#generated/graphql';
import { DELETE, GET, PATCH, POST } from '../../table/row.ts';

/** Requests have `fullName`, replies have `name`. Clients that send back a reply may use `name`, too. */
const also = { name: 'fullName' };

export const membersRoutes = [
  GET('/api/v2/members', ListMembersDocument, { tool: { name: 'members_list' } }),
  POST('/api/v2/members', CreateMemberDocument, { tool: { name: 'members_create' }, status: 201, also }),
  GET('/api/v2/members/:id', GetMemberDocument, { tool: { name: 'members_get' } }),
  PATCH('/api/v2/members/:id', UpdateMemberDocument, { tool: { name: 'members_update' }, also }),
];

export const memberBatchRoutes = [
  POST('/api/v2/members/batch', UpsertMembersDocument, { isBatch: true, itemsField: 'members' }),
];

export const profileRoutes = [
  GET('/api/v2/members/:id/profile', MemberProfileDocument, { tool: { name: 'member_profile' } }),
];

export const tagsRoutes = [
  GET('/api/v2/tags', ListTagsDocument, { tool: { name: 'tags_list' } }),
  GET('/api/v2/members/:id/tags', MemberTagsDocument, { tool: { name: 'member_tags_list' } }),
  POST('/api/v2/members/:id/tags', TagMemberDocument, { tool: { name: 'member_tag' } }),
  DELETE('/api/v2/members/:id/tags/:tagKey', UntagMemberDocument, { tool: { name: 'member_untag' } }),
];

export const customFieldsRoutes = [
  GET('/api/v2/custom-fields', ListCustomFieldsDocument, { tool: { name: 'custom_fields_list' } }),
  GET('/api/v2/custom-fields/values', ListCustomFieldValuesDocument),
];
