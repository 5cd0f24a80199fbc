import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, DAY_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { referredMember, scopesWithMembers } from '../members/members.service.ts';
import { questions } from '../peers.ts';
import { findTier } from '../tiers/tiers.service.ts';
import {
  type Candidate,
  candidatesPage,
  endOfChunk,
  floorOf,
  isLarge,
  keepBest,
  keepScores,
} from './ambassador-scores.store.ts';

/** Up to this number of members of a workspace are scored at query time; more are scored at night. */
const SCORED_AT_ONCE_MAX = 10_000;
/** Stored candidates of a workspace that is scored at night. */
const CANDIDATES_MAX = 10_000;
const VISIT_DAYS = 90;
const REASONS_MAX = 5;
const MONTH_MS = 30.44 * DAY_MS;

/**
 * Returns members who may become ambassadors, best first; for large workspaces the best 10,000 of the last
 * night.
 *
 * @param largeFrom - number of active members from which the nightly scores are used
 * @throws AppError VALIDATION_FAILED for paging out of bounds
 * @remarks Source: requirements L-AMB-01
 */
export async function listCandidates(
  ctx: Context,
  args: PageArgs,
  largeFrom = SCORED_AT_ONCE_MAX,
): Promise<Page<Candidate>> {
  const source = (await isLarge(ctx, largeFrom)) ? 'KEPT' : 'FRESH';
  return candidatesPage(ctx, pageRequest(args), source, visitsSince(ctx));
}

/** Returns the reasons for a candidate, as sentences. */
export async function reasonsFor(ctx: Context, candidate: Candidate): Promise<string[]> {
  const member = await referredMember(ctx, candidate.id);
  if (!member) return [];
  const tier = member.currentTierId ? await findTier(ctx, member.currentTierId) : null;
  const months = Math.floor((ctx.clock.now().getTime() - member.createdAt.getTime()) / MONTH_MS);
  const { referrals, visits } = candidate;
  const reasons = [
    referrals > 0 && `Brought ${counted(referrals, 'member')}`,
    member.pointsEarned > 0n && `Earned ${counted(Number(member.pointsEarned), 'point')}`,
    tier && `Reached the tier ${tier.name}`,
    visits > 0 && `Visited stores ${counted(visits, 'time')} in the last ${VISIT_DAYS} days`,
    months > 0 && `Has been a member for ${counted(months, 'month')}`,
  ].filter((reason): reason is string => Boolean(reason));
  return (reasons.length > 0 ? reasons : ['Joined less than a month ago']).slice(0, REASONS_MAX);
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Scores the members of every workspace that is too large for query time and has the module enabled, and
 * stores the best of each.
 *
 * @param bounds.largeFrom - number of active members of a large workspace
 * @param bounds.chunkSize - members scored in one transaction
 * @param bounds.kept - candidates stored per workspace
 */
export async function scoreAmbassadors(ctx: Context, bounds: Partial<Bounds> = {}): Promise<void> {
  const { largeFrom = SCORED_AT_ONCE_MAX, chunkSize = 2_500, kept = CANDIDATES_MAX } = bounds;
  for (const scope of await scopesWithMembers(ctx)) {
    const inside = ctx.as(systemCaller('score-ambassadors', scope));
    if ((await isLarge(inside, largeFrom)) && (await hasModule(inside)))
      await scoreAll(inside, chunkSize, kept);
  }
}

interface Bounds {
  readonly largeFrom: number;
  readonly chunkSize: number;
  readonly kept: number;
}

/** Scores below the stored best of this run are not written, so a run writes little. */
async function scoreAll(ctx: Context, chunkSize: number, kept: number): Promise<void> {
  const run = { visitsSince: visitsSince(ctx), scoredAt: ctx.clock.now() };
  let afterId = NO_ID;
  for (;;) {
    const toId = await endOfChunk(ctx, afterId, chunkSize);
    if (!toId) break;
    const floor = await floorOf(ctx, run, kept);
    await keepScores(ctx, { afterId, toId }, run, floor);
    afterId = toId;
  }
  await keepBest(ctx, run, kept);
}

async function hasModule(ctx: Context): Promise<boolean> {
  const { modules } = await ctx.services.peers.ask(ctx, 'workspace', questions.Modules, {});
  return modules.some(({ key, isEnabled }) => key === 'ambassador' && isEnabled);
}

const visitsSince = (ctx: Context): Date => addMs(ctx.clock.now(), -VISIT_DAYS * DAY_MS);
