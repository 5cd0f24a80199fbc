import { systemCaller } from '@loyalty/platform/base/caller';
import { paymentRequired } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import { servicePaused } from './credits.events.ts';
import { renewDue, startPaidService, stopPaidService } from './subscriptions.store.ts';
import { getWallet, publishWalletChanged } from './wallet.service.ts';
import type { Wallet } from './wallet.store.ts';

/** Wallets that one statement renews, so that it takes far less than the statement timeout. */
const RENEW_BATCH = 200;

/** Price of a month of paid service, in credits; 0 if none is set. */
export const creditsPerMonth = ({ services }: Context): number =>
  services.config.SUBSCRIPTION_CREDITS_PER_MONTH;

/**
 * Begins paid service, or resumes it after a pause, and debits the month unless it is paid already. The rest
 * of the gift stays in the balance. Has no effect if service is active already.
 *
 * @throws AppError INSUFFICIENT_CREDITS (402); nothing changes then
 * @remarks Source: model API, section 2 "Credits", rules 2, 3 and 7; requirements M-CRD-03, M-CRD-15
 */
export async function activatePaidService(ctx: Context): Promise<Wallet> {
  await getWallet(ctx);
  const fee = creditsPerMonth(ctx);
  const isStarted = await ctx.transaction(async (tx) => {
    const started = await startPaidService(tx, BigInt(fee));
    if (!started) return false;
    await auditPlan(tx, 'activatePaidService', { plan: 'PAID', debited: Number(started.debited) });
    publishWalletChanged(tx, tx.scope.workspaceId);
    return true;
  });
  ctx.forget();
  const wallet = await getWallet(ctx);
  if (!isStarted && wallet.plan !== 'PAID') {
    throw paymentRequired(
      'INSUFFICIENT_CREDITS',
      `Paid service costs ${fee} credits a month, more than are available. Add credits first.`,
    );
  }
  return wallet;
}

/**
 * Ends paid service at once: nothing is spent or debited any more, except that existing reservations are
 * still settled. The credits stay in the balance. The month is not refunded, but continues if service is
 * activated again before its end. Has no effect if service is not active.
 *
 * @remarks Source: model API, section 2 "Credits", rule 3
 */
export async function deactivatePaidService(ctx: Context): Promise<Wallet> {
  await ctx.transaction(async (tx) => {
    if (!(await stopPaidService(tx))) return;
    await auditPlan(tx, 'deactivatePaidService', { plan: 'PAUSED' });
    publishWalletChanged(tx, tx.scope.workspaceId);
  });
  ctx.forget();
  return getWallet(ctx);
}

const auditPlan = (tx: Context, action: string, after: Record<string, unknown>): Promise<void> =>
  audit(tx, { action, resourceType: 'Wallet', resourceId: tx.scope.workspaceId, after });

/**
 * Debits the next month of every workspace whose month is over. If the wallet does not cover it, paid service
 * is paused and nothing is debited, now or later. A month is debited once, even if late: months that passed
 * while no worker ran are not debited, and the next month counts from now. Locked wallets are left for the
 * next run, so any number of workers may run it concurrently.
 *
 * @returns the numbers of renewed and of paused services
 * @remarks Source: model API, section 2 "Credits", rules 7 and 8; requirements M-CRD-15, M-CRD-16
 */
export async function renewSubscriptions(ctx: Context): Promise<{ renewed: number; paused: number }> {
  const fee = BigInt(creditsPerMonth(ctx));
  const count = { renewed: 0, paused: 0 };
  for (;;) {
    const renewals = await ctx.transaction((tx) => renewBatch(tx, fee));
    const renewed = renewals.filter(({ isRenewed }) => isRenewed).length;
    count.renewed += renewed;
    count.paused += renewals.length - renewed;
    if (renewals.length < RENEW_BATCH) return count;
  }
}

async function renewBatch(tx: Context, fee: bigint) {
  const renewals = await renewDue(tx, fee, RENEW_BATCH);
  for (const { workspaceId, isRenewed } of renewals) {
    publishWalletChanged(tx, workspaceId);
    if (isRenewed) continue;
    const own = tx.as(systemCaller('renew-subscriptions', { workspaceId, mode: 'LIVE' }));
    await publish(own, servicePaused, { workspaceId });
  }
  return renewals;
}
