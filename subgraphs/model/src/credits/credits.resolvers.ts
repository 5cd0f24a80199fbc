import type { Context } from '@loyalty/platform/context';
import { connection } from '@loyalty/platform/database/pages';
import { replaysItself } from '@loyalty/platform/identity/idempotency';
import type {
  DepositResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WalletResolvers,
  WorkspaceResolvers,
} from '#generated/schema';
import { CREDITS_PER_USD_CENT, rates } from './charges.ts';
import {
  checkoutUrlFor,
  depositCredits,
  listDeposits,
  listOpenDeposits,
  receivePaymentEvent,
} from './deposits.service.ts';
import { acceptServiceQuote, declineServiceQuote, listServiceQuotes } from './service-quotes.service.ts';
import { activatePaidService, creditsPerMonth, deactivatePaidService } from './subscriptions.service.ts';
import { ownRenewal } from './subscriptions.store.ts';
import {
  creditStatistics,
  findServiceRefusal,
  getWallet,
  listCreditLedger,
  watchWallet,
} from './wallet.service.ts';

export const Query = {
  wallet: (_, __, ctx) => getWallet(ctx),
  serviceRefusal: async (_, __, ctx) => {
    const refused = await findServiceRefusal(ctx);
    // A resolver that returns an error object would fail the field.
    return refused && { code: refused.code, message: refused.message };
  },
  creditLedger: async (_, args, ctx) => connection(await listCreditLedger(ctx, args)),
  creditStatistics: async (_, args, ctx) => ({ series: await creditStatistics(ctx, args) }),
} satisfies QueryResolvers;

export const Subscription = {
  walletChanged: {
    subscribe: (_, __, ctx) => watchWallet(ctx),
    resolve: (_id: string, _args: object, ctx: Context) => getWallet(ctx),
  },
} satisfies SubscriptionResolvers;

export const Workspace = {
  wallet: ({ id }, _, ctx) => (id === ctx.scope.workspaceId ? getWallet(ctx) : null),
} satisfies WorkspaceResolvers;

export const Wallet = {
  rates: () => ({ ...rates, creditsPerUsd: CREDITS_PER_USD_CENT * 100 }),
  ledger: async (_, args, ctx) => connection(await listCreditLedger(ctx, args)),
  paidActive: ({ plan }) => plan === 'PAID',
  renewsAt: ({ id }, _, ctx) => ctx.load(ownRenewal, id),
  creditsPerMonth: (_, __, ctx) => creditsPerMonth(ctx),
  deposits: async (_, args, ctx) => connection(await listDeposits(ctx, args)),
  openDeposits: (_, __, ctx) => listOpenDeposits(ctx),
  serviceQuotes: async (_, args, ctx) => connection(await listServiceQuotes(ctx, args)),
} satisfies WalletResolvers;

export const Mutation = {
  activatePaidService: (_, __, ctx) => activatePaidService(ctx),
  deactivatePaidService: (_, __, ctx) => deactivatePaidService(ctx),
  depositCredits: replaysItself((_, { usdCents }, ctx) => depositCredits(ctx, usdCents)),
  receivePaymentEvent: async (_, { payload, signature }, ctx) => {
    await receivePaymentEvent(ctx, payload, signature);
    return true;
  },
  acceptServiceQuote: (_, { id }, ctx) => acceptServiceQuote(ctx, id),
  declineServiceQuote: (_, { id }, ctx) => declineServiceQuote(ctx, id),
} satisfies MutationResolvers;

export const Deposit = {
  checkoutUrl: (deposit, _, ctx) => checkoutUrlFor(ctx, deposit),
} satisfies DepositResolvers;
