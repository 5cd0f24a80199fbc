import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { newId } from '@loyalty/platform/base/ids';
import { checkText, type Given, given } from '@loyalty/platform/base/input';
import { between, inputRule } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import { tiersChanged } from './tiers.events.ts';
import {
  allTiers,
  changeTier,
  insertTier,
  lockTiers,
  removeTier,
  type Tier,
  type TierDetails,
  tierById,
  tiersByWorkspace,
  workspacesChangedSince,
} from './tiers.store.ts';

const INT_MAX = 2_147_483_647;
const RANK_MAX = 10_000;
const MULTIPLIER_MAX = 100;

/**
 * Returns all tiers of the workspace, lowest rank first.
 *
 * @remarks Source: v2 REST API, section 4 "Members", GET /members/{id}/tier (`allTiers`)
 */
export const listTiers = (ctx: Context): Promise<Tier[]> => allTiers(ctx);

/** Loads all tiers, once per request. */
export const loadTiers = async (ctx: Context): Promise<readonly Tier[]> =>
  (await ctx.load(tiersByWorkspace, ctx.scope.workspaceId)) ?? [];

/** Loads a tier for an object that refers to it; null if the workspace has none. */
export const findTier = (ctx: Context, id: string): Promise<Tier | null> => ctx.load(tierById, id);

/**
 * Adds a tier; a job upgrades members who have already earned enough.
 *
 * @throws AppError VALIDATION_FAILED (400), TIER_EXISTS, TIER_ORDER (409)
 * @remarks Source: v2 REST API, section 2 "Tier"
 */
export async function createTier(
  ctx: Context,
  input: Given<TierDetails> & Omit<TierDetails, 'multiplier'>,
): Promise<Tier> {
  const details = checkTier({
    multiplier: 1,
    ...given(input),
    name: input.name,
    rank: input.rank,
    upgradeThreshold: input.upgradeThreshold,
  });
  return ctx.transaction(async (tx) => {
    await lockTiers(tx);
    checkOrder(await allTiers(tx), details);
    const tier = await insertTier(tx, newId(tx.clock), details);
    await publish(tx, tiersChanged, {});
    await audit(tx, { action: 'createTier', resourceType: 'Tier', resourceId: tier.id, after: { ...tier } });
    return tier;
  });
}

/**
 * Changes details of a tier; a job upgrades members who qualify now, and nobody is downgraded.
 *
 * @throws AppError VALIDATION_FAILED (400), TIER_NOT_FOUND (404), TIER_EXISTS, TIER_ORDER (409)
 */
export async function updateTier(ctx: Context, id: string, input: Given<TierDetails>): Promise<Tier> {
  return ctx.transaction(async (tx) => {
    const { before, others } = await lockTier(tx, id);
    const details = checkTier({ ...before, ...given(input) });
    checkOrder(others, details);
    const after = await changeTier(tx, id, details);
    await publish(tx, tiersChanged, {});
    await audit(tx, {
      action: 'updateTier',
      resourceType: 'Tier',
      resourceId: id,
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}

/**
 * Deletes a tier without members, live or test.
 *
 * @returns the id of the deleted tier
 * @throws AppError TIER_NOT_FOUND (404), TIER_IN_USE (409)
 */
export async function deleteTier(ctx: Context, id: string): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { before } = await lockTier(tx, id);
    if ((await removeTier(tx, id)) === 'IN_USE') {
      throw conflict(
        'TIER_IN_USE',
        'Members are in this tier. A tier can be removed only while nobody is in it.',
      );
    }
    await audit(tx, { action: 'deleteTier', resourceType: 'Tier', resourceId: id, before: { ...before } });
    return id;
  });
}

/**
 * Returns workspaces whose tiers changed recently. The job after the change may have missed members who
 * received points at the same moment, so their members are upgraded again.
 */
export const listWorkspacesChangedSince = (ctx: Context, since: Date): Promise<string[]> =>
  workspacesChangedSince(ctx, since);

/** Returns a tier and the others, and locks them: nobody else changes tiers until the transaction ends. */
async function lockTier(tx: Context, id: string): Promise<{ before: Tier; others: Tier[] }> {
  await lockTiers(tx);
  const tiers = await allTiers(tx);
  const before = tiers.find((tier) => tier.id === id);
  if (!before) throw notFound('tier', id);
  return { before, others: tiers.filter((tier) => tier !== before) };
}

/** Checks that name and rank are unique, and that a higher rank has a higher threshold. */
function checkOrder(others: readonly Tier[], tier: TierDetails): void {
  for (const other of others) {
    if (other.name === tier.name)
      throw conflict('TIER_EXISTS', 'A tier has this name. Choose another.', { field: 'input.name' });
    if (other.rank === tier.rank)
      throw conflict('TIER_EXISTS', 'A tier has this rank. Choose another.', { field: 'input.rank' });
    if (
      other.rank < tier.rank !== other.upgradeThreshold < tier.upgradeThreshold ||
      other.upgradeThreshold === tier.upgradeThreshold
    ) {
      const place = other.rank < tier.rank ? 'above' : 'below';
      const bound = `${place} ${other.upgradeThreshold}, that of ${other.name}`;
      throw conflict('TIER_ORDER', `The threshold must be ${bound}: thresholds rise with rank.`, {
        field: 'input.upgradeThreshold',
      });
    }
  }
}

function checkTier(details: TierDetails): TierDetails {
  return gathered((check) => ({
    rank: check(() => checkBetween('input.rank', details.rank, RANK_MAX)),
    upgradeThreshold: check(() => checkBetween('input.upgradeThreshold', details.upgradeThreshold, INT_MAX)),
    multiplier: check(() => checkMultiplier(details.multiplier)),
    name: check(() => checkText('input.name', details.name, 100)),
  }));
}

function checkBetween(field: string, value: number, most: number): number {
  if (value < 0 || value > most) throw invalid(field, between(0, most));
  return value;
}

/** With a multiplier of 0 members would not earn points. */
function checkMultiplier(multiplier: number): number {
  const isExact = Math.round(multiplier * 1_000) / 1_000 === multiplier;
  if (multiplier > 0 && multiplier <= MULTIPLIER_MAX && isExact) return multiplier;
  const rule = `must be more than 0 and at most ${MULTIPLIER_MAX}, with at most three decimals`;
  throw invalid(
    'input.multiplier',
    inputRule('DECIMALS', rule, { min: 0, max: MULTIPLIER_MAX, decimals: 3 }),
  );
}
