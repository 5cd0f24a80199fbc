import type { Context } from '@loyalty/platform/context';

/** How a workspace sends messages; null is without a limit. */
export interface MessageSettings {
  readonly marketingPerDay: number | null;
  readonly marketingPerWeek: number | null;
  /** HH:MM, as the end. */
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
  readonly isOpenTracked: boolean;
  readonly isClickTracked: boolean;
  /** Since when the workspace sends no marketing, nor anything of campaigns, journeys and automations. */
  readonly stoppedAt: Date | null;
}

export async function findSettings(ctx: Context): Promise<MessageSettings | null> {
  const [row] = await ctx.sql.query<MessageSettings>(
    `SELECT marketing_per_day, marketing_per_week, quiet_from, quiet_until, is_open_tracked,
            is_click_tracked, stopped_at
       FROM engagement.message_settings WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return row ?? null;
}

/** Makes the row where there is none, and keeps others from it until the transaction ends. */
export async function lockSettings(tx: Context, defaults: MessageSettings): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.message_settings AS s (workspace_id, is_open_tracked, is_click_tracked)
     VALUES ($1, $2, $3) ON CONFLICT (workspace_id) DO UPDATE SET is_open_tracked = s.is_open_tracked`,
    [tx.scope.workspaceId, defaults.isOpenTracked, defaults.isClickTracked],
  );
}

export async function writeSettings(
  tx: Context,
  { stoppedAt: _, ...chosen }: MessageSettings,
): Promise<void> {
  await tx.prisma.messageSettings.updateMany({ where: {}, data: chosen });
}
