import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { EMAIL_INDEX } from '@loyalty/platform/values/email';
import { newId } from '@loyalty/platform/values/ids';

/** The blind index of an address in the workspace. */
const indexOf = async (ctx: Context, address: string): Promise<string> =>
  (await ctx.services.keyring.of(ctx.scope.workspaceId)).index(address, EMAIL_INDEX);

/** A message that was sent to an address. */
export async function sentMessage(ctx: Context, address: string) {
  const message = {
    id: newId(ctx.clock),
    category: 'MARKETING' as const,
    emailIndex: await indexOf(ctx, address),
    memberId: null,
  };
  await ctx.sql.query(
    `INSERT INTO engagement.messages
            (workspace_id, mode, id, category, email_index, status, actor, created_at)
     VALUES ($1, $2::platform."Mode", $3, 'MARKETING', $4, 'SENT', 'system:test', $5)`,
    [...scopeOf(ctx), message.id, message.emailIndex, ctx.clock.now()],
  );
  return message;
}

/** What is recorded of a message, oldest first. */
export const eventsOf = (ctx: Context, messageId: string): Promise<{ kind: string; url: string | null }[]> =>
  ctx.sql.query(
    `SELECT kind, url FROM engagement.message_events WHERE ${inScope()} AND message_id = $3 ORDER BY id`,
    [...scopeOf(ctx), messageId],
  );
