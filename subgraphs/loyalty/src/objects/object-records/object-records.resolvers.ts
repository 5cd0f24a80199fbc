import { connection } from '@loyalty/platform/loading/pages';
import type {
  MemberResolvers,
  MutationResolvers,
  ObjectRecordResolvers,
  QueryResolvers,
} from '#generated/schema';
import { listMemberRecords } from './member-records.service.ts';
import { createRecord, deleteRecord, restoreRecord, updateRecord } from './object-records.service.ts';
import { getRecord, listRecords, referredRecord } from './record-lists.service.ts';

export const Query = {
  objectRecords: async (_, args, ctx) => connection(await listRecords(ctx, args)),
  objectRecord: (_, { type, id }, ctx) => getRecord(ctx, type, id),
} satisfies QueryResolvers;

export const Mutation = {
  createRecord: (_, { type, data }, ctx) => createRecord(ctx, type, data),
  updateRecord: (_, update, ctx) => updateRecord(ctx, update),
  deleteRecord: (_, { type, id }, ctx) => deleteRecord(ctx, type, id),
  restoreRecord: (_, { type, id }, ctx) => restoreRecord(ctx, type, id),
} satisfies MutationResolvers;

export const Member = {
  records: async ({ id }, args, ctx) => connection(await listMemberRecords(ctx, id, args)),
} satisfies MemberResolvers;

export const ObjectRecord = {
  __resolveReference: ({ id }, ctx) => referredRecord(ctx, id),
  objectType: ({ type }) => type,
  deleted: ({ deletedAt }) => deletedAt !== null,
} satisfies ObjectRecordResolvers;
