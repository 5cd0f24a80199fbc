import { connection } from '@loyalty/platform/database/pages';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  StoreVisitResolvers,
} from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import {
  checkIn,
  listMemberVisits,
  listStoreVisits,
  recordStoreVisit,
  summarizeVisits,
} from './visits.service.ts';
import { visitById } from './visits.store.ts';

export const Query = {
  storeVisits: async (_, args, ctx) => connection(await listStoreVisits(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  recordStoreVisit: (_, { memberId, storeId }, ctx) => recordStoreVisit(ctx, memberId, storeId),
  checkIn: (_, { storeId }, ctx) => checkIn(ctx, storeId),
} satisfies MutationResolvers;

export const Member = {
  visits: async (member, args, ctx) => connection(await listMemberVisits(ctx, member, args)),
  visitSummary: ({ id }, _, ctx) => summarizeVisits(ctx, id),
} satisfies MemberResolvers;

export const StoreVisit = {
  __resolveReference: ({ id }, ctx) => ctx.load(visitById, id),
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  store: ({ storeId }) => ({ id: storeId }),
} satisfies StoreVisitResolvers;
