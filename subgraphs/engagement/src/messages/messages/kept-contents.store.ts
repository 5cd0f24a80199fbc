import { addMs, DAY_MS } from '@loyalty/platform/clock';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';

/** What many messages say. */
export interface KeptContent {
  readonly id: string;
  readonly contentSealed: Uint8Array;
}

/** Keeps a content, or notes that it is used again, for a day: so long nobody writes it again. */
export async function keepContent(ctx: Context, { id, contentSealed }: KeptContent): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.message_contents (workspace_id, id, content_sealed, used_at)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (workspace_id, id) DO UPDATE SET used_at = greatest(message_contents.used_at, $4)`,
    [ctx.scope.workspaceId, id, contentSealed, addMs(ctx.clock.now(), DAY_MS)],
  );
}

export const keptContentById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<KeptContent>(
    `SELECT id, content_sealed FROM engagement.message_contents
      WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});
