import type { Context, Services } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { model } from '../subgraph.ts';
import { reserveCredits, settleReservation } from './reservations.service.ts';

/** Returns the same installation with a monthly fee for paid service, in credits. */
export const quoting = (services: Services, fee: number): Services => ({
  ...services,
  config: { ...services.config, SUBSCRIPTION_CREDITS_PER_MONTH: fee },
});

const FIELDS = '{ balance plan paidActive renewsAt creditsPerMonth }';

export const activate = (ctx: Context): Promise<Answer> =>
  ask(model, ctx, `mutation { wallet: activatePaidService ${FIELDS} }`);

export const deactivate = (ctx: Context): Promise<Answer> =>
  ask(model, ctx, `mutation { wallet: deactivatePaidService ${FIELDS} }`);

export const walletOf = async (ctx: Context) => (await ask(model, ctx, `{ wallet ${FIELDS} }`)).data.wallet;

/** Deposits through the sandbox. */
export const fund = (ctx: Context, usdCents: number): Promise<Answer> =>
  ask(model, ctx, `mutation { depositCredits(usdCents: ${usdCents}) { id } }`);

/** Pays for work that costs this many credits. */
export async function spend(ctx: Context, amount: number): Promise<void> {
  const id = await reserveCredits(ctx, { amount: BigInt(amount), purpose: 'Score' });
  await settleReservation(ctx, id, BigInt(amount));
}
