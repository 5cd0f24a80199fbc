import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { columns } from '@loyalty/prisma/columns';
import { failedWith } from '@loyalty/prisma/sqlstate';

/** Details that staff can change. */
export interface TierDetails {
  readonly name: string;
  readonly rank: number;
  /** Points earned that the tier needs. */
  readonly upgradeThreshold: number;
  readonly multiplier: number;
}

export interface Tier extends TierDetails {
  readonly id: string;
  readonly createdAt: Date;
}

type Row = Omit<Tier, 'multiplier'> & { readonly multiplier: string };

const sqlColumns = 'id, name, rank, upgrade_threshold, multiplier, created_at';

/** The multiplier's three decimals are exact in a double. */
const tierOf = (row: Row): Tier => ({ ...row, multiplier: Number(row.multiplier) });

export const tierById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<Row>(
    `SELECT ${sqlColumns} FROM loyalty.tiers WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [ctx.scope.workspaceId, ids],
  );
  return new Map(rows.map((row) => [row.id, tierOf(row)]));
});

/** Loads the number of members of tiers, without erased ones; a tier without members is missing. */
export const memberCountByTier = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<{ id: string; count: number }>(
    `SELECT m.current_tier_id AS id, count(*)::int AS count FROM loyalty.members AS m
      WHERE ${inScope('m')} AND m.current_tier_id = ANY($3::uuid[]) AND m.erased_at IS NULL
      GROUP BY m.current_tier_id`,
    [...scopeOf(ctx), ids],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
});

/** Returns every tier of the workspace, lowest rank first. */
export async function allTiers(ctx: Context): Promise<Tier[]> {
  const rows = await ctx.sql.query<Row>(
    `SELECT ${sqlColumns} FROM loyalty.tiers WHERE workspace_id = $1 ORDER BY rank`,
    [ctx.scope.workspaceId],
  );
  return rows.map(tierOf);
}

/** Loads every tier by workspace, lowest rank first. */
export const tiersByWorkspace = loader(
  async (ctx, [workspaceId]: readonly string[]) => new Map([[workspaceId!, await allTiers(ctx)]]),
);

/** Serialises changes of tiers: the order of thresholds is a rule over all of them. */
export async function lockTiers(ctx: Context): Promise<void> {
  await ctx.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('loyalty.tiers:' || $1, 0))`, [
    ctx.scope.workspaceId,
  ]);
}

/** Without the multiplier, which Prisma returns as a Decimal. */
const select = columns('id', 'createdAt');

export async function insertTier(ctx: Context, id: string, details: TierDetails): Promise<Tier> {
  const now = ctx.clock.now();
  const data = { id, ...details, createdAt: now, changedAt: now };
  return { ...(await ctx.prisma.tier.create({ data, select })), ...details };
}

export async function changeTier(ctx: Context, id: string, details: TierDetails): Promise<Tier> {
  const data = { ...details, changedAt: ctx.clock.now() };
  const [row] = await ctx.prisma.tier.updateManyAndReturn({ where: { id }, data, select });
  return { ...row!, ...details };
}

/** Returns 'IN_USE' if the tier has members: the foreign key decides. */
export async function removeTier(ctx: Context, id: string): Promise<'REMOVED' | 'IN_USE'> {
  try {
    await ctx.prisma.tier.deleteMany({ where: { id } });
    return 'REMOVED';
  } catch (error) {
    // The error means that a member refers to the row.
    if (!failedWith(error, 'FOREIGN_KEY_VIOLATION', 'RESTRICT_VIOLATION')) throw error;
    return 'IN_USE';
  }
}

/** Returns every workspace whose tiers changed since then. */
export async function workspacesChangedSince(ctx: Context, since: Date): Promise<string[]> {
  const rows = await ctx.sql.query<{ workspaceId: string }>(
    `/* every workspace */ SELECT DISTINCT workspace_id FROM loyalty.tiers
      WHERE changed_at > $1 ORDER BY 1`,
    [since],
  );
  return rows.map(({ workspaceId }) => workspaceId);
}
