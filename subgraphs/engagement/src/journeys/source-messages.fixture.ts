import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';

/** A message of a journey or a campaign in the log. */
export interface GivenSourceMessage {
  readonly status: string;
  readonly nodeId?: string;
  readonly variant?: string;
  readonly reason?: string;
  readonly opens?: number;
  readonly clicks?: number;
  readonly kind?: string;
}

export async function givenSourceMessage(
  ctx: Context,
  id: string,
  message: GivenSourceMessage,
): Promise<void> {
  const {
    status,
    nodeId = '',
    variant = null,
    reason = null,
    opens = 0,
    clicks = 0,
    kind = 'JOURNEY',
  } = message;
  await ctx.sql.query(
    `INSERT INTO engagement.messages (workspace_id, mode, id, category, email_index, source_kind, source_id,
            node_id, variant, status, reason, opens, clicks, actor, created_at)
     VALUES ($1, 'LIVE', $2, 'MARKETING', '', $9::engagement."MessageSourceKind", $3, $4, $5,
             $6::engagement."MessageStatus", $7, $8, $10, 'system:test', now())`,
    [ctx.scope.workspaceId, newId(ctx.clock), id, nodeId, variant, status, reason, opens, kind, clicks],
  );
}
