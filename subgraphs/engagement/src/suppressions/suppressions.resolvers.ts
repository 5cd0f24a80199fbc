import { connection } from '@loyalty/platform/database/pages';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  SuppressedAddressResolvers,
} from '#generated/schema';
import {
  findEmailSuppression,
  listSuppressedAddresses,
  listUnsubscribed,
  removeBounceSuppression,
  suppressionOfMember,
  unsubscribe,
} from './suppressions.service.ts';

export const Query = {
  emailSuppression: (_, { email }, ctx) => findEmailSuppression(ctx, email),
  emailSuppressions: async (_, { reason, ...args }, ctx) =>
    connection(await listSuppressedAddresses(ctx, reason ?? null, args)),
  _unsubscribed: (_, { emailIndexes }, ctx) => listUnsubscribed(ctx, emailIndexes),
} satisfies QueryResolvers;

export const Mutation = {
  unsubscribe: (_, { email }, ctx) => unsubscribe(ctx, email),
  removeBounceSuppression: (_, { email }, ctx) => removeBounceSuppression(ctx, email),
} satisfies MutationResolvers;

export const Member = {
  suppression: ({ emailIndex }, _, ctx) => suppressionOfMember(ctx, emailIndex ?? null),
} satisfies MemberResolvers;

export const SuppressedAddress = {
  member: ({ memberId }) => (memberId ? { id: memberId } : null),
} satisfies SuppressedAddressResolvers;
