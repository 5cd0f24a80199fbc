import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';

/** Live channel that wakes the workers that send deliveries. */
export const WEBHOOK_DELIVERIES_CHANNEL = 'webhook-deliveries';

/** Live channel of a workspace and mode. Messages are ids of endpoints whose deliveries changed. */
export const deliveriesChannel = ({ workspaceId, mode }: Scope): string =>
  `${WEBHOOK_DELIVERIES_CHANNEL}:${workspaceId}:${mode}`;

/** The same for one endpoint. */
export const endpointDeliveriesChannel = (scope: Scope, endpointId: string): string =>
  `${deliveriesChannel(scope)}:${endpointId}`;

/** Notifies the watchers of deliveries after the transaction commits. */
export function publishDeliveriesChanged(
  { services: { live }, scope, afterCommit }: Context,
  endpointId: string,
) {
  afterCommit(async () => {
    const channels = [deliveriesChannel(scope), endpointDeliveriesChannel(scope, endpointId)];
    await Promise.all(channels.map((channel) => live.publish(channel, endpointId)));
  });
}

/** The same for new deliveries; also wakes the workers. */
export function publishDeliveriesMade(ctx: Context, endpointId: string): void {
  publishDeliveriesChanged(ctx, endpointId);
  ctx.afterCommit(() => ctx.services.live.publish(WEBHOOK_DELIVERIES_CHANNEL, 'new'));
}
