import type { Context } from '@loyalty/platform/context';
import { connection } from '@loyalty/platform/loading/pages';
import type {
  QueryResolvers,
  SubscriptionResolvers,
  WalletResolvers,
  WorkspaceResolvers,
} from '#generated/schema';
import { CREDITS_PER_USD_CENT, rates } from './rates.ts';
import { findServiceRefusal, getWallet, listCreditLedger, watchWallet } from './wallet.service.ts';

export const Query = {
  wallet: (_, __, ctx) => getWallet(ctx),
  serviceRefusal: async (_, __, ctx) => {
    const refused = await findServiceRefusal(ctx);
    // An error that a resolver returns counts as thrown.
    return refused && { code: refused.code, message: refused.message };
  },
  creditLedger: async (_, args, ctx) => connection(await listCreditLedger(ctx, args)),
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
} satisfies WalletResolvers;
