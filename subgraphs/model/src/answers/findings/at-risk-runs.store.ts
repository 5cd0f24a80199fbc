import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { StandardVersion } from '../../scoring/standard-versions/standard-versions.ts';

/** A listing of all members whose pages have one cutoff. */
export interface CapabilityRun {
  readonly id: string;
  /** Long-gap scores from here up are listed. */
  readonly threshold: number;
  /** Of the model, on all pages. */
  readonly version: StandardVersion;
  readonly sourceCutoff: Date;
}

export async function insertRun(
  ctx: Context,
  run: CapabilityRun & { readonly capability: string; readonly expiresAt: Date },
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO model.capability_runs
       (id, workspace_id, mode, capability, arguments, source_cutoff, actor, created_at, expires_at)
     VALUES ($1, $2, $3::platform."Mode", $4,
             jsonb_build_object('threshold', $5::float8, 'version', $6::text), $7, $8, $9, $10)`,
    [
      run.id,
      workspaceId,
      mode,
      run.capability,
      run.threshold,
      run.version,
      run.sourceCutoff,
      ctx.caller.actor,
      ctx.clock.now(),
      run.expiresAt,
    ],
  );
}

/** Null for a run that is unknown or has expired. */
export async function findRun(ctx: Context, id: string, capability: string): Promise<CapabilityRun | null> {
  const [row] = await ctx.sql.query<CapabilityRun>(
    `SELECT id, (arguments ->> 'threshold')::float8 AS threshold,
            coalesce(arguments ->> 'version', 'std-1') AS version, source_cutoff
       FROM model.capability_runs
      WHERE ${inScope()} AND id = $3 AND capability = $4
        AND expires_at > $5`,
    [...scopeOf(ctx), id, capability, ctx.clock.now()],
  );
  return row ?? null;
}
