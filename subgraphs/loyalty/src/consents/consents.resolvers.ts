import { connection } from '@loyalty/platform/database/pages';
import type { MemberResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { consentsOf, hasConsentNow, listConsentHistory, setMemberConsent } from './consents.service.ts';

export const Query = {
  _hasConsent: (_, { memberId, purpose }, ctx) => hasConsentNow(ctx, memberId, purpose),
} satisfies QueryResolvers;

export const Mutation = {
  setMemberConsent: (_, { memberId, ...consent }, ctx) => setMemberConsent(ctx, memberId, consent),
} satisfies MutationResolvers;

export const Member = {
  consents: ({ id }, _, ctx) => consentsOf(ctx, id),
  consentHistory: async ({ id }, args, ctx) => connection(await listConsentHistory(ctx, id, args)),
} satisfies MemberResolvers;
