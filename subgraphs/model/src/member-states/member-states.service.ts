import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import type { MemberSignals } from '#generated/schema';
import { type MemberPageArgs, memberPage, type NextPage } from '../members/member-pages.ts';
import { findMembers, refusedConsumers } from '../members/members.service.ts';
import { nextOrders } from '../predictions/member-predictions.service.ts';
import { presentState } from '../standard-model/present-state.ts';
import { type StandardState, signalJson } from '../standard-model/standard-state.ts';
import {
  type SavedScores,
  type SavedStateRow,
  savedScores,
  statesAfter,
  statesOf,
} from './member-states.store.ts';

/** The latest saved state of a member. */
export interface MemberState extends StandardState {
  readonly member: { readonly id: string };
  readonly modelVersion: string;
  readonly sourceCutoff: Date;
  readonly updatedAt: Date;
  readonly jobId: string | null;
}

/**
 * Loads latest states by member. Members that are restricted or erased have none: they are left out before
 * states are read.
 *
 * @remarks Source: model API, section 2 "Member state", rule 4
 */
export const stateByMember = loader(async (ctx, ids: readonly string[]) => {
  const members = await findMembers(ctx, { ids });
  const shown = members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id);
  const rows = shown.length > 0 ? await statesOf(ctx, shown) : [];
  return new Map(rows.map((row) => [row.memberId, stateFrom(row)]));
});

/**
 * Returns the scores of members' latest states; members without a state are left out.
 *
 * @param ids - of members whose data may be processed
 */
const savedScoresOf = (ctx: Context, ids: readonly string[]): Promise<SavedScores[]> => savedScores(ctx, ids);

export type MemberStatePage = NextPage<MemberState>;

/**
 * Returns latest states, sorted by member. Restricted members are left out, so a page may be short although
 * another follows.
 *
 * @throws AppError VALIDATION_FAILED (400) for a page above 1,000 or a cursor of another list,
 *   PEER_UNAVAILABLE (503)
 * @remarks Source: model API, section 4 "Bulk jobs"; requirements M-STA-01, M-STA-07, M-STA-11
 */
export async function listStates(ctx: Context, args: MemberPageArgs): Promise<MemberStatePage> {
  const found = await memberPage(args, 'states', ({ afterMemberId, limit }) =>
    statesAfter(ctx, afterMemberId, limit),
  );
  const refused = await refusedConsumers(
    ctx,
    found.rows.map(({ memberId }) => memberId),
  );
  const shown = found.rows.filter(({ memberId }) => !refused.has(memberId));
  return { ...found, rows: shown.map(stateFrom) };
}

function stateFrom(row: SavedStateRow): MemberState {
  const { memberId, modelVersion, sourceCutoff, updatedAt, jobId } = row;
  const about = { modelVersion, sourceCutoff, updatedAt, jobId };
  return { member: { id: memberId }, ...presentState(row, sourceCutoff), ...about };
}

/**
 * Returns a state as REST shows it: the observations by their kind, the three signals, and the envelope of a
 * capability call without the fields that only a call has.
 *
 * @remarks Source: requirement M-STA-02
 */
export const stateJson = (state: MemberState): Record<string, unknown> => ({
  observed: Object.fromEntries(state.evidence.map(({ kind, value }) => [kind, value])),
  signals: {
    purchase: signalJson(state.purchase),
    long_gap: signalJson(state.longGap),
    cart_removal: signalJson(state.cartRemoval),
  },
  envelope: {
    status: state.status.toLowerCase(),
    evidence: state.evidence.map(({ observedAt: observed_at, ...item }) => ({ ...item, observed_at })),
    limitations: state.limitations,
    model_version: state.modelVersion,
  },
});

/** Returns the saved states and predictions of members for segments. Batched by member. */
export async function memberSignals(ctx: Context, memberIds: readonly string[]): Promise<MemberSignals[]> {
  if (memberIds.length === 0) return [];
  const members = await findMembers(ctx, { ids: memberIds });
  const ids = members.flatMap(({ id, isRestricted }) => (isRestricted ? [] : [id]));
  const scores = new Map((await savedScoresOf(ctx, ids)).map((row) => [row.memberId, row]));
  const orders = await nextOrders(ctx, ids);
  return ids.map((memberId) => ({
    memberId,
    purchaseScore: scores.get(memberId)?.purchase ?? null,
    longGapScore: scores.get(memberId)?.longGap ?? null,
    cartRemovalScore: scores.get(memberId)?.cartRemoval ?? null,
    overdueCycles: scores.get(memberId)?.overdueCycles ?? null,
    nextOrderOn: orders.get(memberId)?.expectedNextOrderOn ?? null,
    nextOrderConfidence: orders.get(memberId)?.nextOrder?.confidence ?? null,
    isLikelyLapsed: orders.get(memberId)?.unavailableBecause === 'LIKELY_LAPSED',
  }));
}
