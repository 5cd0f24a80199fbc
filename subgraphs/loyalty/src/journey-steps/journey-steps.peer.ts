import type { Context } from '@loyalty/platform/context';

/** A member for whom a step is done. */
export interface StepEntry {
  readonly memberId: string;
  /** Of the run, its node and its step: what is done for a key is not done again. */
  readonly key: string;
}

/** What a journey does for members; a member is named once. */
export type StepRequest = { readonly entries: readonly StepEntry[] } & (
  | { readonly step: 'AWARD_POINTS'; readonly amount: number; readonly description: string }
  | { readonly step: 'ISSUE_COUPON'; readonly poolId: string }
  | { readonly step: 'ADD_TAG' | 'REMOVE_TAG'; readonly tag: string }
);

/** Why nothing was done for a member, by id: codes such as POOL_EXHAUSTED. Members who are absent have it. */
export type StepResult = Readonly<Record<string, string>>;

const PERFORM =
  'mutation PerformJourneyStep($request: JSON!) { refusals: _performJourneyStep(request: $request) }';

/** Does a step of journeys for members, each once. @throws AppError PEER_UNAVAILABLE (503) */
export async function performJourneyStep(ctx: Context, request: StepRequest): Promise<StepResult> {
  const { refusals } = await ctx.services.peers.ask(ctx, 'loyalty', {
    query: PERFORM,
    variables: { request },
  });
  return refusals as StepResult;
}
