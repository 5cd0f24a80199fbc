import type { Context } from '@loyalty/platform/context';
import { factTypes, isFact } from '../tracked-events/fact-events.ts';
import { findTrackedFacts } from './tracked-facts.store.ts';

/** A tracked event as the model knows it. */
interface TrackedFact {
  readonly id: string;
  readonly memberId: string;
  readonly type: string;
  readonly itemId: string;
  readonly value: number | null;
  readonly occurredAt: Date;
}

/** Those of the events that the model ingests. */
export async function trackedFacts(ctx: Context, eventIds: readonly string[]): Promise<TrackedFact[]> {
  const events = await findTrackedFacts(ctx, eventIds, Object.keys(factTypes));
  return events.filter(isFact).map(({ id, event, memberId, itemId, value, occurredAt }) => {
    const [of, about] = [
      { id, memberId: memberId! },
      { itemId: itemId!, value },
    ];
    return { ...of, ...about, type: factTypes[event]!, occurredAt };
  });
}
