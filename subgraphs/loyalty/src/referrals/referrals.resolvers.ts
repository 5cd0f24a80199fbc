import { connection } from '@loyalty/platform/database/pages';
import type {
  AmbassadorCandidateResolvers,
  AmbassadorCodeResolvers,
  MutationResolvers,
  QueryResolvers,
  ReferralResolvers,
} from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import {
  countReferrals,
  deactivateAmbassadorCode,
  issueAmbassadorCode,
  listAmbassadorCodes,
  urlOfCode,
} from './ambassador-codes.service.ts';
import { codeById } from './ambassador-codes.store.ts';
import { measureAmbassadors } from './ambassador-metrics.service.ts';
import { listCandidates, reasonsFor } from './ambassador-scores.service.ts';
import { attributeReferral } from './referrals.service.ts';

export const Mutation = {
  attributeReferral: (_, { memberId, code }, ctx) => attributeReferral(ctx, memberId, code),
  issueAmbassadorCode: (_, { memberId, poolId }, ctx) => issueAmbassadorCode(ctx, memberId, poolId ?? null),
  deactivateAmbassadorCode: (_, { id }, ctx) => deactivateAmbassadorCode(ctx, id),
} satisfies MutationResolvers;

export const Referral = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  ambassador: async ({ ambassadorId }, _, ctx) => (await referredMember(ctx, ambassadorId))!,
} satisfies ReferralResolvers;

export const Query = {
  ambassadorCandidates: async (_, args, ctx) => connection(await listCandidates(ctx, args)),
  ambassadorMetrics: (_, args, ctx) => measureAmbassadors(ctx, args),
  ambassadorCodes: async (_, args, ctx) => connection(await listAmbassadorCodes(ctx, args)),
} satisfies QueryResolvers;

export const AmbassadorCandidate = {
  member: async ({ id }, _, ctx) => (await referredMember(ctx, id))!,
  reasons: (candidate, _, ctx) => reasonsFor(ctx, candidate),
} satisfies AmbassadorCandidateResolvers;

export const AmbassadorCode = {
  __resolveReference: ({ id }, ctx) => ctx.load(codeById, id),
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  url: (code, _, ctx) => urlOfCode(ctx, code),
  referredMembers: async ({ id }, _, ctx) => (await countReferrals(ctx, id)).members,
  referredOrders: async ({ id }, _, ctx) => (await countReferrals(ctx, id)).orders,
} satisfies AmbassadorCodeResolvers;
