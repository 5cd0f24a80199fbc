import type { Context } from '@loyalty/platform/context';
import { type AppError, forbidden, notFound } from '@loyalty/platform/errors';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { throttled } from '@loyalty/platform/live/throttled';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/loading/pages';
import { audit } from '@loyalty/platform/operations/audit';
import type { DecisionScores } from './charges.ts';
import { refusalOf, TRIAL_CREDITS } from './spendable.ts';
import { walletChannel } from './wallet.events.ts';
import {
  bookTrialGift,
  type CreditEntry,
  creditLedgerPage,
  findWallet,
  insertEmptyWallet,
  insertWallet,
  ownWallet,
  updateDecisionScores,
  type Wallet,
} from './wallet.store.ts';

/**
 * Gives a workspace its wallet with the trial gift in it; a wallet that is there already stays as it is.
 * Where the gift waits for the owner's address to be confirmed, the wallet is empty until then.
 *
 * @param workspaceId - the workspace, which may be calling for the first time
 * @remarks Source: model API, section 2 "Credits", rule 2
 */
export async function openWallet(ctx: Context, workspaceId: string): Promise<void> {
  const giftWaits = ctx.services.config.TRIAL_NEEDS_CONFIRMED_EMAIL;
  const isNew = giftWaits
    ? await insertEmptyWallet(ctx, workspaceId)
    : await insertWallet(ctx, workspaceId, TRIAL_CREDITS);
  if (isNew) publishWalletChanged(ctx, workspaceId);
}

/** Gives a workspace the trial gift that waited for the confirmation; a second call changes nothing. */
export async function giveTrial(ctx: Context, workspaceId: string): Promise<void> {
  await openWallet(ctx, workspaceId);
  if (await bookTrialGift(ctx, workspaceId, TRIAL_CREDITS)) publishWalletChanged(ctx, workspaceId);
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
 * Why the plan of the workspace allows no more than reading: the trial is used up, or paid service was active
 * and is not now. Null while there is service.
 *
 * @throws AppError CREDENTIAL_MISSING (401) for callers without a workspace
 * @remarks Source: requirement L-MCP-02
 */
export async function findServiceRefusal(ctx: Context): Promise<AppError | null> {
  const { plan, trialUsed } = await getWallet(ctx);
  const hasService = plan === 'PAID' || (plan === 'TRIAL' && trialUsed < TRIAL_CREDITS);
  return hasService ? null : refusalOf(plan);
}

/**
 * Changes of the wallet's balance in credits, newest first.
 *
 * @throws AppError VALIDATION_FAILED (400) for paging out of bounds
 * @remarks Source: requirement M-CRD-19
 */
export async function listCreditLedger(
  ctx: Context,
  args: PageArgs & { readonly kind?: CreditEntry['kind'] | null | undefined },
): Promise<Page<CreditEntry>> {
  return creditLedgerPage(ctx, pageRequest(args), args.kind ?? null);
}

/**
 * Sets how the workspace's paid contract charges scores that come with a decision. Answers that are being
 * made were reserved under the former contract and are charged by it. Audited.
 *
 * @throws AppError CALLER_REFUSED (403) unless the product's operator calls, WALLET_NOT_FOUND (404)
 * @remarks Source: model API, section 2 "Credits", rule 4; requirements M-CRD-04, M-CRD-10
 */
export async function setDecisionScores(ctx: Context, contract: DecisionScores): Promise<void> {
  if (ctx.caller.kind !== 'SYSTEM') {
    throw forbidden('CALLER_REFUSED', 'Only the operator of the product may change a paid contract.');
  }
  const { workspaceId } = ctx.scope;
  await ctx.transaction(async (tx) => {
    const before = await updateDecisionScores(tx, contract);
    if (!before) throw notFound('wallet', workspaceId);
    await audit(tx, {
      action: 'setDecisionScores',
      resourceType: 'Wallet',
      resourceId: workspaceId,
      before: { decisionScores: before },
      after: { decisionScores: contract },
    });
    publishWalletChanged(tx, workspaceId);
  });
}

/** Under load every paid answer changes a wallet twice; no screen needs to show each change. */
const PUBLISH_INTERVAL_MS = 100;

const publishThrottled = throttled(PUBLISH_INTERVAL_MS, ({ live }, workspaceId) =>
  live.publish(walletChannel(workspaceId), workspaceId),
);

/** Publishes a change to open screens once it is committed, ten times a second at most. */
export function publishWalletChanged(ctx: Context, workspaceId: string): void {
  ctx.afterCommit(() => publishThrottled(ctx.services, workspaceId));
}

/**
 * The id of the caller's workspace at once, and again after every change of its wallet, whichever process
 * made it. Changes that come faster than they are read are joined, and so are those during an interruption.
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
