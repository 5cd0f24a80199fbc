import { randomBytes } from 'node:crypto';
import { memberCreated } from '@loyalty/loyalty-subgraph/members/members.events';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishAll } from '@loyalty/platform/work/events';

/** Deletes the endpoints of the workspace and inserts others as rows, because the API allows only a few. */
export async function replaceEndpoints(
  ctx: Context,
  urls: readonly string[],
  eventType: string,
): Promise<void> {
  const { workspaceId } = ctx.scope;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const sealed = await ctx.services.keyring.seal(workspaceId, secret, 'webhook.secret');
  await ctx.sql.query('DELETE FROM engagement.webhook_endpoints WHERE workspace_id = $1', [workspaceId]);
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_endpoints
            (workspace_id, mode, id, url, event_types, secret_sealed, actor, created_at, updated_at)
     SELECT $1, 'LIVE', e.id, e.url, $4, $5, 'bench', now(), now()
       FROM unnest($2::uuid[], $3::text[]) AS e(id, url)`,
    [workspaceId, urls.map(() => newId(ctx.clock)), urls, [eventType], sealed],
  );
}

/** Publishes that many `member.created` events. */
export async function publishEvents(ctx: Context, count: number): Promise<void> {
  const members = Array.from({ length: count }, () => ({ memberId: newId(ctx.clock) }));
  for (let from = 0; from < count; from += 500)
    await ctx.transaction((tx) => publishAll(tx, memberCreated, members.slice(from, from + 500)));
}
