import type { MutationResolvers, WalletResolvers } from '#generated/schema';
import { activatePaidService, creditsPerMonth, deactivatePaidService } from './subscriptions.service.ts';
import { ownRenewal } from './subscriptions.store.ts';

export const Mutation = {
  activatePaidService: (_, __, ctx) => activatePaidService(ctx),
  deactivatePaidService: (_, __, ctx) => deactivatePaidService(ctx),
} satisfies MutationResolvers;

export const Wallet = {
  paidActive: ({ plan }) => plan === 'PAID',
  renewsAt: ({ id }, _, ctx) => ctx.load(ownRenewal, id),
  creditsPerMonth: (_, __, ctx) => creditsPerMonth(ctx),
} satisfies WalletResolvers;
