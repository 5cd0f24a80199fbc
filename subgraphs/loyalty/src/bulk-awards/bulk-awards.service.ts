import { conflict, invalid, notFound } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { isUuid, newId } from '@loyalty/platform/base/ids';
import { checkText } from '@loyalty/platform/base/input';
import { atLeast, inputRule, oneOf } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageArgs, pageRequest } from '@loyalty/platform/database/pages';
import { audit } from '@loyalty/platform/identity/audit';
import { guardValue, guardWrite } from '@loyalty/platform/identity/write-guard';
import { publishEnd } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchJob } from '@loyalty/platform/subscriptions/watch-job';
import { publish } from '@loyalty/platform/work/events';
import { type MemberStatus, OPEN_STATUSES } from '../members/members.service.ts';
import { findTagId } from '../members/tags.service.ts';
import { getProgram } from '../tiers/programs.service.ts';
import { findTier } from '../tiers/tiers.service.ts';
import { bulkAwardRequested } from './bulk-awards.events.ts';
import {
  type BulkAward,
  type BulkTarget,
  bulkAwardById,
  bulkAwardsPage,
  countPreview,
  countTargets,
  finishBulkAward,
  insertBulkAward,
  reopenBulkAward,
} from './bulk-awards.store.ts';

const DESCRIPTION_LENGTH_MAX = 500;
const MEMBERS_MAX = 10_000;

const BALANCE_MAX = 2_147_483_647;

interface BulkSelection {
  readonly memberIds?: readonly string[] | null | undefined;
  readonly tierId?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly tag?: string | null | undefined;
  readonly pointsMin?: number | null | undefined;
}

interface StartBulkAward extends BulkSelection {
  /** Points for each member. */
  readonly amount: number;
  readonly description: string;
}

/**
 * Starts a job that awards the same amount to many members, once to each.
 *
 * @param input.amount - points, 1 to the workspace's cap per call
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), TAG_NOT_FOUND, TIER_NOT_FOUND (404),
 *   RATE_LIMITED (429), GUARD_UNAVAILABLE (503)
 */
export async function startBulkAward(ctx: Context, input: StartBulkAward): Promise<BulkAward> {
  await guardWrite(ctx, 'value');
  const { amount } = input;
  const { description, conditions } = gathered((check) => {
    check(() => checkAmount(ctx, amount));
    return {
      description: check(() => checkText('input.description', input.description, DESCRIPTION_LENGTH_MAX)),
      conditions: check(() => checkSelection(input)),
    };
  });
  const target = await findTarget(ctx, conditions);
  const isNamed = target.memberIds.length > 0;
  const total = isNamed ? target.memberIds.length : await countTargets(ctx, target, OPEN_STATUSES);
  return ctx.transaction(async (tx) => {
    const made = await insertBulkAward(tx, { id: newId(tx.clock), amount, description, total, ...target });
    await publish(tx, bulkAwardRequested, { bulkAwardId: made.id, members: total });
    const { memberIds: _, ...selected } = target;
    const after = { amount, total, ...selected };
    await audit(tx, { action: 'startBulkAward', resourceType: 'BulkAward', resourceId: made.id, after });
    return made;
  });
}

/**
 * Counts the members to whom a bulk award would give points now, and those to whom it would not. Writes
 * nothing.
 *
 * @param input.amount - points, 1 to the workspace's cap per call
 * @throws AppError AMOUNT_OVER_CAP, VALIDATION_FAILED (400), TAG_NOT_FOUND, TIER_NOT_FOUND (404)
 */
export async function previewBulkAward(
  ctx: Context,
  input: BulkSelection & { readonly amount: number },
): Promise<{ members: number; points: bigint; exclusions: { reason: ExclusionReason; members: number }[] }> {
  const { amount } = input;
  const conditions = gathered((check) => {
    check(() => checkAmount(ctx, amount));
    return check(() => checkSelection(input));
  });
  const target = await findTarget(ctx, conditions);
  const { pointsPendingDays } = await getProgram(ctx);
  // Pending points are not in the balance yet.
  const balanceMax = pointsPendingDays === null ? BALANCE_MAX - amount : BALANCE_MAX;
  const counts = await countPreview(ctx, target, OPEN_STATUSES, balanceMax);
  const { members, unknown, erasurePending, overLimit } = counts;
  const exclusions = [
    { reason: 'UNKNOWN', members: unknown },
    { reason: 'ERASURE_PENDING', members: erasurePending },
    { reason: 'BALANCE_LIMIT', members: overLimit },
  ] as const;
  return {
    members,
    points: BigInt(members) * BigInt(amount),
    exclusions: exclusions.filter((each) => each.members > 0),
  };
}

/**
 * Stops a bulk award; members who have received the points keep them.
 *
 * @throws AppError BULK_AWARD_NOT_FOUND (404), BULK_AWARD_FINISHED (409)
 */
export async function cancelBulkAward(ctx: Context, id: string): Promise<BulkAward> {
  return ctx.transaction(async (tx) => {
    const after = await finishBulkAward(tx, id, 'CANCELLED');
    if (!after && !(await findBulkAward(tx, id))) throw notFound('bulk award', id);
    if (!after)
      throw conflict('BULK_AWARD_FINISHED', 'The bulk award is finished. There is nothing to cancel.');
    publishEnd(tx, 'bulkAward', id);
    const { processed, succeeded } = after;
    await audit(tx, {
      action: 'cancelBulkAward',
      resourceType: 'BulkAward',
      resourceId: id,
      after: { processed, succeeded },
    });
    return after;
  });
}

/**
 * Starts a failed bulk award again; it continues after the last processed member.
 *
 * @throws AppError BULK_AWARD_NOT_FOUND (404), BULK_AWARD_NOT_FAILED (409)
 */
export async function retryBulkAward(ctx: Context, id: string): Promise<BulkAward> {
  return ctx.transaction(async (tx) => {
    const retried = await reopenBulkAward(tx, id);
    if (!retried && !(await findBulkAward(tx, id))) throw notFound('bulk award', id);
    if (!retried) throw conflict('BULK_AWARD_NOT_FAILED', 'Only a bulk award that failed can be retried.');
    const { total, processed } = retried;
    await publish(tx, bulkAwardRequested, { bulkAwardId: id, members: Math.max(0, total - processed) });
    await audit(tx, { action: 'retryBulkAward', resourceType: 'BulkAward', resourceId: id });
    return retried;
  });
}

/** Marks a bulk award as failed; has no effect on a finished one. */
export async function failBulkAward(ctx: Context, id: string, failure: string): Promise<void> {
  if (await finishBulkAward(ctx, id, 'FAILED', failure)) publishEnd(ctx, 'bulkAward', id);
}

export const findBulkAward = (ctx: Context, id: string): Promise<BulkAward | null> =>
  ctx.load(bulkAwardById, id);

/** Yields a bulk award now and after its changes. @throws AppError BULK_AWARD_NOT_FOUND (404) */
export const watchBulkAward = (ctx: Context, id: string): Promise<Snapshots<BulkAward>> =>
  watchJob(ctx, id, { noun: 'bulkAward', find: findBulkAward });

/** Returns bulk awards, newest first. */
export const listBulkAwards = (ctx: Context, args: PageArgs): Promise<Page<BulkAward>> =>
  bulkAwardsPage(ctx, pageRequest(args));

type ExclusionReason = 'UNKNOWN' | 'ERASURE_PENDING' | 'BALANCE_LIMIT';

function checkAmount(ctx: Context, amount: number): void {
  guardValue(ctx, 'input.amount', amount);
  if (amount < 1) throw invalid('input.amount', atLeast(1));
}

/** A selection with the key of its tag, before the tag is found. */
type Conditions = Omit<BulkTarget, 'tagId'> & { readonly tag: string | null };

/** Either ids or conditions select the members; ids are sorted in the order of processing. */
function checkSelection({ memberIds, tierId, status, tag, pointsMin }: BulkSelection): Conditions {
  const isGiven = (one: unknown): boolean => one !== null && one !== undefined;
  const hasConditions = [tierId, status, tag, pointsMin].some(isGiven);
  if (isGiven(memberIds) === hasConditions)
    throw invalid('input', 'must have either memberIds or some of tierId, status, tag and pointsMin');
  if (status && !(OPEN_STATUSES as readonly string[]).includes(status))
    throw invalid('input.status', oneOf(OPEN_STATUSES));
  const ids = [...new Set(memberIds?.map((id) => id.toLowerCase()))].sort();
  if (memberIds && (ids.length === 0 || ids.length > MEMBERS_MAX))
    throw invalid('input.memberIds', `must have 1 to ${MEMBERS_MAX} ids`);
  if (!ids.every(isUuid)) throw invalid('input.memberIds', inputRule('UNKNOWN', 'must be ids of members'));
  return {
    memberIds: ids,
    tierId: tierId ?? null,
    memberStatus: (status as MemberStatus | null | undefined) ?? null,
    tag: tag ?? null,
    pointsMin: pointsMin ?? null,
  };
}

async function findTarget(ctx: Context, { tag, ...conditions }: Conditions): Promise<BulkTarget> {
  const { tierId } = conditions;
  if (tierId && !(await findTier(ctx, tierId))) throw notFound('tier', tierId);
  const tagId = tag ? await findTagId(ctx, tag) : null;
  if (tag && !tagId) throw notFound('tag', tag);
  return { ...conditions, tagId };
}
