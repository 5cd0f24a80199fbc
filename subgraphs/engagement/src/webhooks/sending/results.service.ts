import { systemCaller } from '@loyalty/platform/caller/caller';
import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/outbox/events';
import { isGivenUp } from '@loyalty/platform/outbox/lost-workers';
import { deliveriesChannel, endpointDeliveriesChannel } from '../endpoints/delivery-channels.ts';
import { webhookEndpointDisabled } from '../endpoints/endpoints.events.ts';
import type { Attempt } from './attempt.ts';
import { ATTEMPTS_MAX, backoffMs } from './backoff.ts';
import { type EndpointNews, noteEndpoints, type Result, writeResults } from './results.store.ts';

/** An endpoint that has only failed for so long is disabled. */
const FAILING_MS = 5 * DAY_MS;

/** Answered by an endpoint that is gone for good. */
const GONE = 410;

/**
 * Writes what attempts came to: the next attempt, the log, and the state of the endpoints. Those that are
 * gone or have failed for 5 days are disabled, which is published.
 */
export async function keepResults(ctx: Context, attempts: readonly Attempt[]): Promise<void> {
  await writeResults(
    ctx,
    attempts.map((attempt) => resultOf(ctx, attempt)),
  );
  const news = newsOf(attempts);
  const unnoted = new Set(attempts.flatMap(({ delivery }) => (delivery.isWell ? [] : delivery.endpointId)));
  await noteNews(
    ctx,
    news.filter(({ endpointId, failedAt }) => failedAt !== null || unnoted.has(endpointId)),
  );
  await publishChanges(ctx, news);
}

async function noteNews(ctx: Context, news: readonly EndpointNews[]): Promise<void> {
  if (news.length === 0) return;
  const failingBefore = addMs(ctx.clock.now(), -FAILING_MS);
  await ctx.transaction(async (tx) => {
    for (const { id, reason, ...scope } of await noteEndpoints(tx, news, failingBefore)) {
      const owner = tx.as(systemCaller('send-webhooks', scope));
      await publish(owner, webhookEndpointDisabled, { webhookEndpointId: id, reason });
    }
  });
}

function resultOf(ctx: Context, attempt: Attempt): Result {
  const { outcome, delivery, retryAfterMs } = attempt;
  if (outcome === 'DELIVERED') return { attempt, status: 'DELIVERED', dueAt: null };
  if (outcome === 'REFUSED') return { attempt, status: 'FAILED', dueAt: null };
  const failed = delivery.attempts + 1;
  if (failed >= ATTEMPTS_MAX) return { attempt, status: 'DEAD', dueAt: null };
  const waitMs = backoffMs(failed, retryAfterMs, Math.random());
  return { attempt, status: 'RETRYING', dueAt: addMs(ctx.clock.now(), waitMs) };
}

/** One line for each endpoint that was asked. */
function newsOf(attempts: readonly Attempt[]): EndpointNews[] {
  const sent = attempts.filter(({ delivery }) => !isGivenUp(delivery));
  const ofEndpoints = Map.groupBy(sent, ({ delivery }) => delivery.endpointId);
  return [...ofEndpoints].map(([endpointId, [first, ...others]]) => {
    const all = [first!, ...others].toSorted((one, other) => endOf(one) - endOf(other));
    const success = all.findLast(({ outcome }) => outcome === 'DELIVERED');
    const failures = all.slice(success ? all.indexOf(success) + 1 : 0);
    const failure = failures.at(-1);
    const { workspaceId, mode } = first!.delivery;
    return {
      workspaceId,
      mode,
      endpointId,
      succeededAt: success ? success.startedAt : null,
      failedAt: failure ? failure.startedAt : null,
      error: failure ? failure.error : null,
      isGone: failures.some(({ responseStatus }) => responseStatus === GONE),
    };
  });
}

const endOf = ({ startedAt, durationMs }: Attempt): number => startedAt.getTime() + durationMs;

/** Watchers read what changed: one message for each endpoint and each workspace is enough. */
async function publishChanges({ services }: Context, news: readonly EndpointNews[]): Promise<void> {
  const messages = news.flatMap(({ endpointId, ...scope }) => [
    services.live.publish(deliveriesChannel(scope), endpointId),
    services.live.publish(endpointDeliveriesChannel(scope, endpointId), endpointId),
  ]);
  await Promise.all(messages);
}
