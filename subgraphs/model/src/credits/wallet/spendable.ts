import { type AppError, paymentRequired } from '@loyalty/platform/errors';
import type { Wallet, WalletPlan } from './wallet.store.ts';

/** USD 5, given once to every new workspace; also the most that may be spent without paid service. */
export const TRIAL_CREDITS = 50_000n;

/**
 * Credits that may be reserved now: what is available, on trial as far as the trial reaches, and none while
 * paid service is paused. Reserving decides by the same rule, in SQL.
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
 * 402 for what a wallet does not allow; which of the three codes, its plan decides.
 *
 * @remarks Source: requirements M-CRD-17, M-CRD-18
 */
export function refusalOf(plan: WalletPlan): AppError {
  const [code, message] = refusals[plan];
  return paymentRequired(code, message);
}
