import { systemCaller } from '@loyalty/platform/caller';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/pages';
import { referredMember } from '../members/members.service.ts';
import { findTier } from '../tiers/tiers.service.ts';
import {
  allScopes,
  type Candidate,
  candidatesPage,
  dropStale,
  endOfChunk,
  isLarge,
  keepScores,
} from './scores.store.ts';

/** Members of a workspace who are scored when it asks; more are scored at night. */
const SCORED_AT_ONCE_MAX = 10_000;
const VISIT_DAYS = 90;
const REASONS_MAX = 5;
const MONTH_MS = 30.44 * DAY_MS;
const NO_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Members worth asking to be ambassadors, best first.
 *
 * @param largeFrom - active members from which the night's scores are read
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

/** What speaks for a candidate, in plain words. */
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
 * Scores the members of every workspace that is too large to be scored when it asks and has the module on.
 *
 * @param largeFrom - active members from which a workspace is large
 * @param chunkSize - members scored in one transaction
 */
export async function scoreAmbassadors(
  ctx: Context,
  largeFrom = SCORED_AT_ONCE_MAX,
  chunkSize = 5_000,
): Promise<void> {
  for (const scope of await allScopes(ctx)) {
    const inside = ctx.as(systemCaller('score-ambassadors', scope));
    if ((await isLarge(inside, largeFrom)) && (await hasModule(inside))) await scoreAll(inside, chunkSize);
  }
}

async function scoreAll(ctx: Context, chunkSize: number): Promise<void> {
  const since = visitsSince(ctx);
  let afterId = NO_ID;
  for (;;) {
    const end = await endOfChunk(ctx, afterId, chunkSize);
    const range = { afterId, toId: end ?? LAST_ID };
    await ctx.transaction(async (tx) => {
      const scoredAt = tx.clock.now();
      await keepScores(tx, range, since, scoredAt);
      await dropStale(tx, range, scoredAt);
    });
    if (!end) return;
    afterId = end;
  }
}

async function hasModule(ctx: Context): Promise<boolean> {
  const question = { query: 'query Modules { modules { key isEnabled } }', variables: {} };
  const answer = await ctx.services.peers.ask(ctx, 'workspace', question);
  const modules = answer['modules'] as readonly { key: string; isEnabled: boolean }[];
  return modules.some(({ key, isEnabled }) => key === 'ambassador' && isEnabled);
}

const visitsSince = (ctx: Context): Date => addMs(ctx.clock.now(), -VISIT_DAYS * DAY_MS);
