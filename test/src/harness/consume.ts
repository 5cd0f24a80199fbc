import type { Context } from '@loyalty/platform/context';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import type { PublishedEvent } from '@loyalty/platform/work/events';

/** Gives the events of a workspace to a consumer once, as the relay does, in tests without a worker. */
export async function consume(ctx: Context, consumer: EventConsumer): Promise<void> {
  const events = await ctx.sql.query<PublishedEvent>(
    `SELECT id, type, workspace_id, mode, payload, created_at
       FROM platform.outbox WHERE workspace_id = $1 AND type = ANY($2)`,
    [ctx.scope.workspaceId, [...consumer.types]],
  );
  await ctx.transaction((tx) => consumer.take(tx, events));
}
