import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';

type TierBasis = 'LIFETIME' | 'ROLLING';
export type DowngradePolicy = 'NONE' | 'ONE_STEP' | 'TO_EARNED';

/** What an admin can set. */
export interface ProgramSettings {
  /** Null: points never expire. */
  readonly pointsExpireAfterDays: number | null;
  /** Null: points are in the balance at once. */
  readonly pointsPendingDays: number | null;
  readonly tierBasis: TierBasis;
  /** Null: tiers are not recalculated every night. */
  readonly tierPeriodDays: number | null;
  readonly downgradePolicy: DowngradePolicy;
}

export interface Program extends ProgramSettings {
  readonly updatedAt: Date | null;
}

const columns = `points_expire_after_days, points_pending_days AS
  "pointsPendingDays", tier_basis, tier_period_days, downgrade_policy, updated_at`;

/** By workspace; null while all settings are defaults. */
export const programByWorkspace = loader(async (ctx, workspaceIds: readonly string[]) => {
  const rows = await ctx.sql.query<Program & { workspaceId: string }>(
    `SELECT workspace_id, ${columns} FROM loyalty.programs
      WHERE workspace_id = $1 AND workspace_id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, workspaceIds],
  );
  return new Map(rows.map(({ workspaceId, ...program }) => [workspaceId, program as Program]));
});

/** Locks the settings until the transaction ends. */
export async function lockProgram(ctx: Context): Promise<Program> {
  const params = [ctx.scope.workspaceId];
  await ctx.sql.query(
    `INSERT INTO loyalty.programs (workspace_id, updated_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [...params, ctx.clock.now()],
  );
  const [row] = await ctx.sql.query<Program>(
    `SELECT ${columns} FROM loyalty.programs WHERE workspace_id = $1 FOR UPDATE`,
    params,
  );
  return row!;
}

export async function changeProgram(ctx: Context, settings: ProgramSettings): Promise<Program> {
  const [row] = await ctx.sql.query<Program>(
    `UPDATE loyalty.programs
        SET points_expire_after_days = $2, points_pending_days = $3, tier_basis = $4::loyalty."TierBasis",
            tier_period_days = $5, downgrade_policy = $6::loyalty."DowngradePolicy", updated_at = $7
      WHERE workspace_id = $1 RETURNING ${columns}`,
    [
      ctx.scope.workspaceId,
      settings.pointsExpireAfterDays,
      settings.pointsPendingDays,
      settings.tierBasis,
      settings.tierPeriodDays,
      settings.downgradePolicy,
      ctx.clock.now(),
    ],
  );
  return row!;
}

/** Every workspace that has set a period. */
export async function workspacesWithPeriod(ctx: Context): Promise<string[]> {
  const rows = await ctx.sql.query<{ workspaceId: string }>(
    `/* every workspace */ SELECT workspace_id FROM loyalty.programs
      WHERE tier_period_days IS NOT NULL ORDER BY workspace_id`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}
