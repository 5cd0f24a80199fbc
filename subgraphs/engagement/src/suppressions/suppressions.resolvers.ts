import type { MemberResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { findEmailSuppression, suppressionOfMember, unsubscribe } from './suppressions.service.ts';

export const Query = {
  emailSuppression: (_, { email }, ctx) => findEmailSuppression(ctx, email),
} satisfies QueryResolvers;

export const Mutation = {
  unsubscribe: (_, { email }, ctx) => unsubscribe(ctx, email),
} satisfies MutationResolvers;

export const Member = {
  suppression: ({ emailIndex }, _, ctx) => suppressionOfMember(ctx, emailIndex ?? null),
} satisfies MemberResolvers;
