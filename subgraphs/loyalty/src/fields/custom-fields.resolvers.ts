import { connection } from '@loyalty/platform/database/pages';
import type {
  CustomFieldResolvers,
  CustomFieldValueResolvers,
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import { listCustomFieldValues, visibleAttributes } from './custom-field-values.service.ts';
import {
  archiveCustomField,
  defineCustomField,
  findCustomField,
  listCustomFields,
  updateCustomField,
} from './custom-fields.service.ts';
import { fieldById } from './custom-fields.store.ts';

export const Query = {
  customFields: async (_, args, ctx) => connection(await listCustomFields(ctx, args)),
  customField: (_, { key }, ctx) => findCustomField(ctx, key),
  customFieldValues: async (_, args, ctx) => connection(await listCustomFieldValues(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  defineCustomField: (_, { input }, ctx) => defineCustomField(ctx, input),
  updateCustomField: (_, { key, input }, ctx) => updateCustomField(ctx, key, input),
  archiveCustomField: (_, { key }, ctx) => archiveCustomField(ctx, key),
} satisfies MutationResolvers;

export const Member = {
  customAttributes: (member, _, ctx) => visibleAttributes(ctx, member.customAttributes),
} satisfies MemberResolvers;

export const CustomField = {
  __resolveReference: ({ id }, ctx) => ctx.load(fieldById, id),
  options: ({ type, options }) => (type === 'ENUM' || type === 'LIST' ? [...options] : null),
} satisfies CustomFieldResolvers;

export const CustomFieldValue = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
} satisfies CustomFieldValueResolvers;
