import { connection } from '@loyalty/platform/pages';
import type { QueryResolvers, WalletResolvers, WorkspaceResolvers } from '#generated/schema';
import { getWallet, listCreditLedger } from './wallet.service.ts';

export const Query = {
  wallet: (_, __, ctx) => getWallet(ctx),
  creditLedger: async (_, args, ctx) => connection(await listCreditLedger(ctx, args)),
} satisfies QueryResolvers;

export const Workspace = {
  wallet: ({ id }, _, ctx) => (id === ctx.scope.workspaceId ? getWallet(ctx) : null),
} satisfies WorkspaceResolvers;

export const Wallet = {
  ledger: async (_, args, ctx) => connection(await listCreditLedger(ctx, args)),
} satisfies WalletResolvers;
