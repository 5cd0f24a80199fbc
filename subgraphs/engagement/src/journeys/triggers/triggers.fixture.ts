import type { Context, Services } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/outbox/events';
import { newId } from '@loyalty/platform/values/ids';
import { moveAll, movingContext } from '../runs/runs.fixture.ts';
import { keepTriggerEvents, takeTriggerEvents } from './triggers.service.ts';

/** An event of a member, as the relay hands it over. */
export const memberEvent = (
  ctx: Context,
  type: string,
  memberId: string,
  payload: Readonly<Record<string, unknown>> = {},
): PublishedEvent => ({
  id: newId(ctx.clock),
  type,
  workspaceId: ctx.scope.workspaceId,
  mode: ctx.scope.mode,
  payload: { memberId, ...payload },
  createdAt: ctx.clock.now(),
  actor: ctx.caller.actor,
});

/** Hands events over, and lets journeys go on until nothing is left to do now. */
export async function hearAll(services: Services, events: readonly PublishedEvent[]): Promise<void> {
  const worker = movingContext(services);
  await worker.transaction((tx) => keepTriggerEvents(tx, events));
  do await moveAll(services);
  while ((await takeTriggerEvents(worker)).isSome);
  await moveAll(services);
}
