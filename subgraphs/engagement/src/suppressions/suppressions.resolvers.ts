import type { MemberResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  findEmailSuppression,
  listUnsubscribed,
  suppressionOfMember,
  unsubscribe,
  unsubscribeByToken,
} from './suppressions.service.ts';

export const Query = {
  emailSuppression: (_, { email }, ctx) => findEmailSuppression(ctx, email),
  _unsubscribed: (_, { emailIndexes }, ctx) => listUnsubscribed(ctx, emailIndexes),
} satisfies QueryResolvers;

export const Mutation = {
  unsubscribe: (_, { email }, ctx) => unsubscribe(ctx, email),
  unsubscribeByToken: (_, { token }, ctx) => unsubscribeByToken(ctx, token),
} satisfies MutationResolvers;

export const Member = {
  suppression: ({ emailIndex }, _, ctx) => suppressionOfMember(ctx, emailIndex ?? null),
} satisfies MemberResolvers;
