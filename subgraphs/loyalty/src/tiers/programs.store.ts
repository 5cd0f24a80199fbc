import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { columns, inSql } from '@loyalty/prisma/columns';

type TierBasis = 'LIFETIME' | 'ROLLING';
export type DowngradePolicy = 'NONE' | 'ONE_STEP' | 'TO_EARNED';

/** Settings that staff can change. */
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

const select = {
  ...columns('pointsExpireAfterDays', 'pointsPendingDays', 'tierBasis'),
  ...columns('tierPeriodDays', 'downgradePolicy', 'updatedAt'),
};
const sqlColumns = inSql(select);

/** Loads settings by workspace; null while all settings are defaults. */
export const programByWorkspace = loader(async (ctx, workspaceIds: readonly string[]) => {
  const rows = await ctx.sql.query<Program & { workspaceId: string }>(
    `SELECT workspace_id, ${sqlColumns} FROM loyalty.programs
      WHERE workspace_id = $1 AND workspace_id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, workspaceIds],
  );
  return new Map(rows.map(({ workspaceId, ...program }) => [workspaceId, program as Program]));
});

/** Locks the settings until the transaction ends. */
export async function lockProgram(ctx: Context): Promise<Program> {
  const data = [{ updatedAt: ctx.clock.now() }];
  await ctx.prisma.program.createMany({ data, skipDuplicates: true });
  return (await ctx.prisma.program.findFirstForUpdate({ where: {}, select }))!;
}

export async function changeProgram(ctx: Context, settings: ProgramSettings): Promise<Program> {
  const data = { ...settings, updatedAt: ctx.clock.now() };
  const [row] = await ctx.prisma.program.updateManyAndReturn({ where: {}, data, select });
  return row!;
}

/** Returns every workspace with a period. */
export async function workspacesWithPeriod(ctx: Context): Promise<string[]> {
  const rows = await ctx.sql.query<{ workspaceId: string }>(
    `/* every workspace */ SELECT workspace_id FROM loyalty.programs
      WHERE tier_period_days IS NOT NULL ORDER BY workspace_id`,
  );
  return rows.map(({ workspaceId }) => workspaceId);
}
