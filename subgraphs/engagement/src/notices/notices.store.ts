import type { Mode } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';

/** Inserts the ids of notices. @returns the ids that are new */
export async function insertNotices(
  tx: Context,
  providerId: string,
  noticeIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.sql.query<{ noticeId: string }>(
    `INSERT INTO engagement.provider_notices (workspace_id, provider_id, notice_id, received_at)
     SELECT $1, $2, n.id, $4 FROM unnest($3::text[]) AS n(id) ORDER BY n.id
     ON CONFLICT (workspace_id, provider_id, notice_id) DO NOTHING
     RETURNING notice_id`,
    [tx.scope.workspaceId, providerId, noticeIds, tx.clock.now()],
  );
  return new Set(rows.map(({ noticeId }) => noticeId));
}

/** A sent message with the blind index of its address. */
export interface SentMessage {
  readonly id: string;
  readonly mode: Mode;
  readonly emailIndex: string;
}

/** Returns messages of the workspace in any mode, by id. Messages of other workspaces are omitted. */
export async function messagesById(
  tx: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SentMessage>> {
  const rows = await tx.sql.query<SentMessage>(
    `SELECT id, mode, email_index FROM engagement.messages
      WHERE workspace_id = $1 AND mode = ANY(enum_range(NULL::platform."Mode")) AND id = ANY($2::uuid[])`,
    [tx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
