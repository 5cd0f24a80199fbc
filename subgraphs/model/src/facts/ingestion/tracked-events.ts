import type { Context } from '@loyalty/platform/context';

/** A tracked event as the engagement subgraph answers it, from its slice tracked-facts. */
export interface TrackedEvent {
  readonly id: string;
  readonly memberId: string;
  /** `view` or `cart_add`. */
  readonly type: string;
  readonly itemId: string;
  readonly value: number | null;
  readonly occurredAt: Date | string;
}

const TRACKED_FACTS = 'query TrackedFacts($eventIds: [ID!]!) { _trackedFacts(eventIds: $eventIds) }';

/** Those of the events that the model ingests. @throws AppError PEER_UNAVAILABLE (503) */
export async function findTrackedEvents(ctx: Context, eventIds: readonly string[]): Promise<TrackedEvent[]> {
  const question = { query: TRACKED_FACTS, variables: { eventIds } };
  const answer = await ctx.services.peers.ask(ctx, 'engagement', question);
  return answer['_trackedFacts'] as TrackedEvent[];
}
