import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, WalletResolvers } from '#generated/schema';
import { acceptServiceQuote, declineServiceQuote, listServiceQuotes } from './service-quotes.service.ts';

export const Mutation = {
  acceptServiceQuote: (_, { id }, ctx) => acceptServiceQuote(ctx, id),
  declineServiceQuote: (_, { id }, ctx) => declineServiceQuote(ctx, id),
} satisfies MutationResolvers;

export const Wallet = {
  serviceQuotes: async (_, args, ctx) => connection(await listServiceQuotes(ctx, args)),
} satisfies WalletResolvers;
