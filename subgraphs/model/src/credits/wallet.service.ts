import { type AppError, forbidden, notFound, paymentRequired } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { dayRange, everyDay } from '@loyalty/platform/database/day-range';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { liveIterator } from '@loyalty/platform/live/live-iterator';
import { throttled } from '@loyalty/platform/subscriptions/throttled';
import type { DecisionScores } from './charges.ts';
import { walletChannel } from './credits.events.ts';
import {
  bookTrialGift,
  type CreditDay,
  type CreditEntry,
  creditLedgerPage,
  creditsByDay,
  findWallet,
  insertEmptyWallet,
  insertWallet,
  ownWallet,
  updateDecisionScores,
  type Wallet,
  type WalletPlan,
} from './wallet.store.ts';

/**
 * Creates the wallet of a workspace with the trial gift in it; has no effect if there is a wallet already. If
 * the gift waits for the confirmation of the owner's address, the wallet is empty until then.
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

/** Books the trial gift that waited for the confirmation; a second call has no effect. */
export async function giveTrial(ctx: Context, workspaceId: string): Promise<void> {
  await openWallet(ctx, workspaceId);
  if (await bookTrialGift(ctx, workspaceId, TRIAL_CREDITS)) publishWalletChanged(ctx, workspaceId);
}

/**
 * Returns the wallet of the caller's workspace. Opens it if the job that opens wallets has not run yet, so
 * that a new workspace never sees a missing gift.
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
 * Returns the reason why the plan of the workspace allows only reading: the trial is used up, or paid service
 * was active and is not now. Null while service is active.
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
 * Returns changes of the wallet's balance in credits, newest first.
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
 * Sets how the workspace's paid contract charges scores that come with a decision. Answers in progress were
 * reserved under the former contract and are charged by it. Audited.
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

/** Under load every paid answer changes a wallet twice; screens need not show each change. */
const PUBLISH_INTERVAL_MS = 100;

const publishThrottled = throttled(PUBLISH_INTERVAL_MS, ({ live }, workspaceId) =>
  live.publish(walletChannel(workspaceId), workspaceId),
);

/** Publishes a change to open screens after its commit, at most ten times a second. */
export function publishWalletChanged(ctx: Context, workspaceId: string): void {
  ctx.afterCommit(() => publishThrottled(ctx.services, workspaceId));
}

/**
 * Yields the id of the caller's workspace at once, and again after every change of its wallet by any process.
 * Changes that come faster than they are read are merged, and so are those during an interruption.
 *
 * @throws AppError CREDENTIAL_MISSING (401) for callers without a workspace
 */
export function watchWallet(ctx: Context): AsyncIterableIterator<string> {
  const { workspaceId } = ctx.scope;
  return liveIterator(ctx.services.live, walletChannel(workspaceId), {
    signal: ctx.request.signal,
    first: [workspaceId],
    missed: async () => [workspaceId],
  });
}

/** USD 5, given once to every new workspace; also the most that may be spent without paid service. */
export const TRIAL_CREDITS = 50_000n;

/**
 * Returns the credits that may be reserved now: the available ones, on trial at most the rest of the trial,
 * and none while paid service is paused. Reservations apply the same rule in SQL.
 *
 * @remarks Source: model API, section 2 "Credits", rule 2; requirements M-CRD-03, M-CRD-18
 */
export function spendable({ plan, available, trialUsed, reserved }: Wallet): bigint {
  if (plan === 'PAUSED') return 0n;
  const trialLeft = TRIAL_CREDITS - trialUsed - reserved;
  return plan === 'TRIAL' && trialLeft < available ? trialLeft : available;
}

const refusals = {
  TRIAL: [
    'TRIAL_CREDITS_EXHAUSTED',
    'The trial credits are used up. Ask the owner to activate paid service.',
  ],
  PAUSED: ['SUBSCRIPTION_REQUIRED', 'Paid service is not active. Ask the owner to activate it.'],
  PAID: ['INSUFFICIENT_CREDITS', 'The wallet holds too few credits. Ask the owner to add credits.'],
} as const satisfies Record<WalletPlan, readonly [code: string, message: string]>;

/**
 * Returns 402 for an amount that the wallet does not allow; the plan determines which of the three codes.
 *
 * @remarks Source: requirements M-CRD-17, M-CRD-18
 */
export function refusalOf(plan: WalletPlan): AppError {
  const [code, message] = refusals[plan];
  return paymentRequired(code, message);
}

/**
 * Returns used credits by day of the workspace's time zone.
 *
 * @param wanted.from - YYYY-MM-DD, as `to`; both days count
 * @throws AppError VALIDATION_FAILED (400) naming `from` or `to`, PEER_UNAVAILABLE (503)
 */
export async function creditStatistics(
  ctx: Context,
  wanted: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
): Promise<CreditDay[]> {
  const range = await dayRange(ctx, wanted);
  return everyDay(range, await creditsByDay(ctx, range), { used: 0n });
}
