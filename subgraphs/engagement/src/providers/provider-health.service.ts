import { invalid } from '@loyalty/platform/base/errors';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import {
  claimTrial,
  FAILURES_MAX,
  type Figures,
  figuresOver,
  type Health,
  insertFailure,
  PAUSE_MS,
  resetFailures,
} from './provider-health.store.ts';
import type { Sent } from './transport.ts';

/** A provider as one batch of messages knows it, with what the batch has learned of its health. */
export interface WatchedProvider {
  readonly id: string;
  health: Health;
}

type State = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** Five failures in succession pause a provider for 60 s; then one message is the trial. */
export function stateOf({ failures, pausedUntil }: Health, now: Date): State {
  if (failures < FAILURES_MAX || pausedUntil === null) return 'CLOSED';
  return pausedUntil > now ? 'OPEN' : 'HALF_OPEN';
}

/** Whether a message may be tried with it now; of all processes one gets the trial after a pause. */
export async function mayTry(ctx: Context, provider: WatchedProvider): Promise<boolean> {
  const now = ctx.clock.now();
  const state = stateOf(provider.health, now);
  if (state !== 'HALF_OPEN') return state === 'CLOSED';
  // Whoever gets the trial: for this batch the provider is paused until the trial has ended well.
  provider.health = { ...provider.health, pausedUntil: new Date(now.getTime() + PAUSE_MS) };
  return claimTrial(ctx, provider.id);
}

/** A success of an intact provider is written down once a minute. */
const SUCCESS_MS = 60_000;

/** Notes how a provider answered. Only a change of its health is written. */
export async function noteOutcome(
  ctx: Context,
  provider: WatchedProvider,
  { outcome, error }: Sent,
): Promise<void> {
  const { id, health } = provider;
  const isFailure = outcome === 'UNAVAILABLE' || outcome === 'CREDENTIALS';
  if (isFailure) provider.health = (await insertFailure(ctx, id, error ?? '')) ?? health;
  else if (isNews(ctx, health, outcome === 'ACCEPTED'))
    provider.health = (await resetFailures(ctx, id, outcome === 'ACCEPTED')) ?? health;
}

/** A message that was refused shows, too, that the provider works. */
function isNews({ clock }: Context, { failures, lastSuccessAt }: Health, isSuccess: boolean): boolean {
  if (failures > 0) return true;
  return isSuccess && clock.now().getTime() - (lastSuccessAt?.getTime() ?? 0) >= SUCCESS_MS;
}

const HOURS_MAX = 720;

const none: Figures = { attempts: 0, accepted: 0, rejected: 0, unavailable: 0, p50Ms: null, p95Ms: null };

/**
 * What became of the attempts of the last hours; all providers of a request are counted together.
 *
 * @throws AppError VALIDATION_FAILED (400) naming hours
 */
export async function figuresOfProvider(ctx: Context, id: string, hours: number): Promise<Figures> {
  if (hours < 1 || hours > HOURS_MAX) throw invalid('hours', between(1, HOURS_MAX));
  return (await ctx.load(figuresOver(hours), id)) ?? none;
}
