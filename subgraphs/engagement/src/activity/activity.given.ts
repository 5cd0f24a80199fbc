import type { Context } from '@loyalty/platform/context';
import type { PublishedEvent } from '@loyalty/platform/outbox/events';
import { keepActivityEvents } from './activity.jobs.ts';

/** What the relay does with the events of a workspace, for tests without a worker. */
export async function keepPublished(ctx: Context): Promise<void> {
  const events = await ctx.sql.query<PublishedEvent>(
    `SELECT id, type, workspace_id AS "workspaceId", mode, payload, created_at AS "createdAt"
       FROM platform.outbox WHERE workspace_id = $1 AND type = ANY($2)`,
    [ctx.scope.workspaceId, [...keepActivityEvents.types]],
  );
  await ctx.transaction((tx) => keepActivityEvents.take(tx, events));
}
