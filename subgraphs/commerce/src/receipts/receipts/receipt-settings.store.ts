import type { Context } from '@loyalty/platform/context';

export interface ReceiptSettings {
  readonly autoApprove: boolean;
  /** 0 to 100. */
  readonly minConfidence: number;
}

const columns = 'auto_approve, min_confidence';

export async function findSettings(ctx: Context): Promise<ReceiptSettings | null> {
  const [row] = await ctx.sql.query<ReceiptSettings>(
    `SELECT ${columns} FROM commerce.receipt_settings WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return row ?? null;
}

/** Changes what is given and keeps the rest; `defaults` stand where nothing was ever set. */
export async function upsertSettings(
  ctx: Context,
  change: Partial<ReceiptSettings>,
  defaults: ReceiptSettings,
): Promise<ReceiptSettings> {
  const [row] = await ctx.sql.query<ReceiptSettings>(
    `INSERT INTO commerce.receipt_settings AS s (workspace_id, auto_approve, min_confidence, updated_at)
     VALUES ($1, coalesce($2::boolean, $4::boolean), coalesce($3::int, $5::int), $6)
     ON CONFLICT (workspace_id) DO UPDATE
        SET auto_approve = coalesce($2::boolean, s.auto_approve),
            min_confidence = coalesce($3::int, s.min_confidence), updated_at = $6
     RETURNING ${columns}`,
    [
      ctx.scope.workspaceId,
      change.autoApprove ?? null,
      change.minConfidence ?? null,
      defaults.autoApprove,
      defaults.minConfidence,
      ctx.clock.now(),
    ],
  );
  return row!;
}
