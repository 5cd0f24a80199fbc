import type {
  MutationResolvers,
  ObjectFieldResolvers,
  ObjectTypeResolvers,
  QueryResolvers,
} from '#generated/schema';
import { recordCount } from '../record-counts/record-counts.service.ts';
import {
  addObjectField,
  archiveObjectType,
  defineObjectType,
  publishObjectType,
  setVisibility,
  unpublishObjectType,
  updateObjectField,
} from './object-type-editor.service.ts';
import { getObjectType, listDefinitions, listObjectTypes, referredType } from './object-types.service.ts';

export const Query = {
  objectTypes: (_parent, _args, ctx) => listObjectTypes(ctx),
  objectType: (_, { type }, ctx) => getObjectType(ctx, type),
  objectTypeDefinitions: (_, { status }, ctx) => listDefinitions(ctx, status),
} satisfies QueryResolvers;

export const Mutation = {
  defineObjectType: (_, { input }, ctx) => defineObjectType(ctx, input),
  addObjectField: (_, { type, field }, ctx) => addObjectField(ctx, type, field),
  updateObjectField: (_, { type, key, input }, ctx) => updateObjectField(ctx, type, key, input),
  publishObjectType: (_, { type }, ctx) => publishObjectType(ctx, type),
  unpublishObjectType: (_, { type }, ctx) => unpublishObjectType(ctx, type),
  hideObjectType: (_, { type }, ctx) => setVisibility(ctx, type, false),
  showObjectType: (_, { type }, ctx) => setVisibility(ctx, type, true),
  archiveObjectType: (_, { type }, ctx) => archiveObjectType(ctx, type),
} satisfies MutationResolvers;

export const ObjectType = {
  __resolveReference: ({ id }, ctx) => referredType(ctx, id),
  apiVisible: ({ isApiVisible }) => isApiVisible,
  recordCount: ({ id }, _, ctx) => recordCount(ctx, id),
} satisfies ObjectTypeResolvers;

export const ObjectField = {
  required: ({ isRequired }) => isRequired,
  options: ({ options }) => (options.length > 0 ? [...options] : null),
} satisfies ObjectFieldResolvers;
