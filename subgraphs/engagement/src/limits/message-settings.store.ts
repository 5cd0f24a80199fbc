import type { Context } from '@loyalty/platform/context';

/** The message settings of a workspace. Null means no limit. */
export interface MessageSettings {
  readonly marketingPerDay: number | null;
  readonly marketingPerWeek: number | null;
  /** HH:MM, as `quietUntil`. */
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
  readonly isOpenTracked: boolean;
  readonly isClickTracked: boolean;
  /**
   * The time since which the emergency stop is on: no marketing is sent, and nothing of campaigns, journeys
   * and automations.
   */
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

/** Inserts the row if it is missing, and locks it until the transaction ends. */
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
