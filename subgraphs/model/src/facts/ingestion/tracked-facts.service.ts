import type { Context } from '@loyalty/platform/context';
import { findMembers } from '../../members/members.service.ts';
import { questions } from '../../peers.ts';
import { appendFacts } from './facts.service.ts';

/**
 * Ingests tracked events, each once. Those of members whose data may not be processed are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ingestTrackedEvents(ctx: Context, eventIds: readonly string[]): Promise<void> {
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.TrackedFacts, { eventIds });
  const found = answer._trackedFacts;
  if (found.length === 0) return;
  const members = await findMembers(ctx, { ids: [...new Set(found.map(({ memberId }) => memberId))] });
  const processable = new Set(members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id));
  const facts = found
    .filter(({ memberId }) => processable.has(memberId))
    .map(({ id, occurredAt, ...fact }) => ({
      ...fact,
      externalId: `tracking:${id}`,
      occurredAt: new Date(occurredAt),
    }));
  await ctx.transaction((tx) => appendFacts(tx, 'EVENTS', facts));
}
