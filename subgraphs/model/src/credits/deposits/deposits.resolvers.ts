import { replaysItself } from '@loyalty/platform/graph/idempotency';
import { connection } from '@loyalty/platform/loading/pages';
import type { DepositResolvers, MutationResolvers, WalletResolvers } from '#generated/schema';
import {
  checkoutUrlFor,
  depositCredits,
  listDeposits,
  listOpenDeposits,
  receivePaymentEvent,
} from './deposits.service.ts';

export const Mutation = {
  depositCredits: replaysItself((_, { usdCents }, ctx) => depositCredits(ctx, usdCents)),
  receivePaymentEvent: async (_, { payload, signature }, ctx) => {
    await receivePaymentEvent(ctx, payload, signature);
    return true;
  },
} satisfies MutationResolvers;

export const Wallet = {
  deposits: async (_, args, ctx) => connection(await listDeposits(ctx, args)),
  openDeposits: (_, __, ctx) => listOpenDeposits(ctx),
} satisfies WalletResolvers;

export const Deposit = {
  checkoutUrl: (deposit, _, ctx) => checkoutUrlFor(ctx, deposit),
} satisfies DepositResolvers;
