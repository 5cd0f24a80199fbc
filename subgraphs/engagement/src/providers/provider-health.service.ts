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

/** A provider in a batch of messages. The batch updates its health. */
export interface WatchedProvider {
  readonly id: string;
  health: Health;
}

type State = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** Returns the state of a provider. Five failures in a row pause it for 60 s. Then one message is a trial. */
export function stateOf({ failures, pausedUntil }: Health, now: Date): State {
  if (failures < FAILURES_MAX || pausedUntil === null) return 'CLOSED';
  return pausedUntil > now ? 'OPEN' : 'HALF_OPEN';
}

/**
 * Whether a message may be sent through the provider now. After a pause, only one process claims the trial.
 */
export async function mayTry(ctx: Context, provider: WatchedProvider): Promise<boolean> {
  const now = ctx.clock.now();
  const state = stateOf(provider.health, now);
  if (state !== 'HALF_OPEN') return state === 'CLOSED';
  // For this batch, the provider stays paused until the trial has succeeded, also if another process has the
  // trial.
  provider.health = { ...provider.health, pausedUntil: new Date(now.getTime() + PAUSE_MS) };
  return claimTrial(ctx, provider.id);
}

/** Minimum interval between two writes of successes of a healthy provider. */
const SUCCESS_MS = 60_000;

/** Records the outcome of a provider. Only changes of its health are written. */
export async function recordOutcome(
  ctx: Context,
  provider: WatchedProvider,
  { outcome, error }: Sent,
): Promise<void> {
  const { id, health } = provider;
  const isFailure = outcome === 'UNAVAILABLE' || outcome === 'CREDENTIALS';
  if (isFailure) provider.health = (await insertFailure(ctx, id, error ?? '')) ?? health;
  else if (mustReset(ctx, health, outcome === 'ACCEPTED'))
    provider.health = (await resetFailures(ctx, id, outcome === 'ACCEPTED')) ?? health;
}

/**
 * Whether an outcome that is not a failure must be written. A refused message also shows that the provider
 * works.
 */
function mustReset({ clock }: Context, { failures, lastSuccessAt }: Health, isSuccess: boolean): boolean {
  if (failures > 0) return true;
  return isSuccess && clock.now().getTime() - (lastSuccessAt?.getTime() ?? 0) >= SUCCESS_MS;
}

const HOURS_MAX = 720;

const none: Figures = { attempts: 0, accepted: 0, rejected: 0, unavailable: 0, p50Ms: null, p95Ms: null };

/**
 * Counts the attempts of the last hours by outcome. Batched by provider.
 *
 * @throws AppError VALIDATION_FAILED (400) naming hours
 */
export async function figuresOfProvider(ctx: Context, id: string, hours: number): Promise<Figures> {
  if (hours < 1 || hours > HOURS_MAX) throw invalid('hours', between(1, HOURS_MAX));
  return (await ctx.load(figuresOver(hours), id)) ?? none;
}
