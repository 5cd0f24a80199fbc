import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';

/** Live channel that wakes the workers which send deliveries. */
export const WEBHOOK_DELIVERIES_CHANNEL = 'webhook-deliveries';

/** Live channel of a workspace in one mode: it carries ids of endpoints whose deliveries changed. */
export const deliveriesChannel = ({ workspaceId, mode }: Scope): string =>
  `${WEBHOOK_DELIVERIES_CHANNEL}:${workspaceId}:${mode}`;

/** The same of one endpoint. */
export const endpointDeliveriesChannel = (scope: Scope, endpointId: string): string =>
  `${deliveriesChannel(scope)}:${endpointId}`;

/** Notifies who watches deliveries, once the change is kept. */
export function publishDeliveriesChanged(
  { services: { live }, scope, afterCommit }: Context,
  endpointId: string,
) {
  afterCommit(async () => {
    const channels = [deliveriesChannel(scope), endpointDeliveriesChannel(scope, endpointId)];
    await Promise.all(channels.map((channel) => live.publish(channel, endpointId)));
  });
}

/** The same, and wakes the workers, because there are new ones. */
export function publishDeliveriesMade(ctx: Context, endpointId: string): void {
  publishDeliveriesChanged(ctx, endpointId);
  ctx.afterCommit(() => ctx.services.live.publish(WEBHOOK_DELIVERIES_CHANNEL, 'new'));
}
