import type { Context } from '@loyalty/platform/context';
import { liveIterator } from '@loyalty/platform/live-iterator';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/pages';
import { walletChannel } from './wallet.events.ts';
import {
  type CreditEntry,
  creditLedgerPage,
  findWallet,
  insertWallet,
  ownWallet,
  type Wallet,
} from './wallet.store.ts';

/** USD 5, given once to every new workspace; also the most that may be spent without paid service. */
export const TRIAL_CREDITS = 50_000n;

/**
 * Gives a workspace its wallet with the trial gift in it; a wallet that is there already stays as it is.
 *
 * @param workspaceId - the workspace, which may be calling for the first time
 * @remarks Source: model API, section 2 "Credits", rule 2
 */
export async function openWallet(ctx: Context, workspaceId: string): Promise<void> {
  const isNew = await insertWallet(ctx, workspaceId, TRIAL_CREDITS);
  if (isNew) tellWalletChanged(ctx, workspaceId);
}

/**
 * The wallet of the caller's workspace. It is opened here when the job that opens it has not run yet, so that
 * a new workspace never sees itself without its gift.
 *
 * @throws AppError CREDENTIAL_MISSING (401) for callers without a workspace
 * @remarks Source: model API, section 2 "Credits"; requirement M-CRD-19
 */
export async function getWallet(ctx: Context): Promise<Wallet> {
  const found = await ctx.load(ownWallet, ctx.scope.workspaceId);
  if (found) return found;
  await openWallet(ctx, ctx.scope.workspaceId);
  return (await findWallet(ctx))!;
}

/**
 * Changes of the wallet's balance in credits, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: requirement M-CRD-19
 */
export async function listCreditLedger(ctx: Context, args: PageArgs): Promise<Page<CreditEntry>> {
  return creditLedgerPage(ctx, pageRequest(args));
}

/** Lets open screens know, once the change is kept, that they show an old wallet. */
export function tellWalletChanged(ctx: Context, workspaceId: string): void {
  ctx.afterCommit(() => ctx.services.live.publish(walletChannel(workspaceId), workspaceId));
}

/**
 * The id of the caller's workspace at once, and again after every change of its wallet, whichever process
 * made it; changes that come faster than they are read are one, and so is what an interruption swallowed.
 *
 * @throws AppError CREDENTIAL_MISSING (401) for callers without a workspace
 */
export function watchWallet(ctx: Context): AsyncIterableIterator<string> {
  const { workspaceId } = ctx.scope;
  return liveIterator(ctx.services.live, walletChannel(workspaceId), {
    signal: ctx.signal,
    first: [workspaceId],
    missed: async () => [workspaceId],
  });
}
