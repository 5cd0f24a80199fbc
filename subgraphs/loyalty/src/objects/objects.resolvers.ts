import { connection } from '@loyalty/platform/database/pages';
import type {
  MemberResolvers,
  MutationResolvers,
  ObjectFieldResolvers,
  ObjectRecordResolvers,
  ObjectTypeResolvers,
  QueryResolvers,
} from '#generated/schema';
import { createRecord, deleteRecord, restoreRecord, updateRecord } from './object-records.service.ts';
import {
  addObjectField,
  archiveObjectType,
  defineObjectType,
  publishObjectType,
  setVisibility,
  unpublishObjectType,
  updateObjectField,
} from './object-type-editor.service.ts';
import {
  conditionCatalog,
  getObjectType,
  listDefinitions,
  listObjectTypes,
  recordCount,
  referredType,
} from './object-types.service.ts';
import {
  getRecord,
  listMemberRecords,
  listRecords,
  recordProfiles,
  referredRecord,
} from './record-lists.service.ts';

export const Query = {
  objectTypes: (_parent, _args, ctx) => listObjectTypes(ctx),
  objectType: (_, { type }, ctx) => getObjectType(ctx, type),
  objectTypeDefinitions: (_, { status }, ctx) => listDefinitions(ctx, status),
  objectRecords: async (_, args, ctx) => connection(await listRecords(ctx, args)),
  objectRecord: (_, { type, id }, ctx) => getRecord(ctx, type, id),
  _recordProfiles: (_, wanted, ctx) => recordProfiles(ctx, wanted),
  _conditionCatalog: (_, __, ctx) => conditionCatalog(ctx),
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
  createRecord: (_, { type, data }, ctx) => createRecord(ctx, type, data),
  updateRecord: (_, update, ctx) => updateRecord(ctx, update),
  deleteRecord: (_, { type, id }, ctx) => deleteRecord(ctx, type, id),
  restoreRecord: (_, { type, id }, ctx) => restoreRecord(ctx, type, id),
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

export const Member = {
  records: async ({ id }, args, ctx) => connection(await listMemberRecords(ctx, id, args)),
} satisfies MemberResolvers;

export const ObjectRecord = {
  __resolveReference: ({ id }, ctx) => referredRecord(ctx, id),
  objectType: ({ type }) => type,
  deleted: ({ deletedAt }) => deletedAt !== null,
} satisfies ObjectRecordResolvers;
