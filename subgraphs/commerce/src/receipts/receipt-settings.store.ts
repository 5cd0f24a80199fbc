import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';

export interface ReceiptSettings {
  readonly autoApprove: boolean;
  /** 0 to 100. */
  readonly minConfidence: number;
}

export const findSettings = (ctx: Context): Promise<ReceiptSettings | null> =>
  ctx.prisma.receiptSettings.findFirst({ where: {}, select: columns('autoApprove', 'minConfidence') });

/** Changes the given settings and keeps the others. `defaults` apply to settings that were never set. */
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
     RETURNING auto_approve, min_confidence`,
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
