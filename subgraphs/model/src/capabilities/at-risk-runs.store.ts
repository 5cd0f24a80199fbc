import type { Context } from '@loyalty/platform/context';
import { columns } from '@loyalty/prisma/columns';
import type { StandardVersion } from '../standard-model/standard-versions.ts';

/** A listing of all members whose pages have one cutoff. */
export interface CapabilityRun {
  readonly id: string;
  /** Lower limit of the listed long-gap scores. */
  readonly threshold: number;
  /** The model's version for all pages. */
  readonly version: StandardVersion;
  readonly sourceCutoff: Date;
}

export async function insertRun(
  ctx: Context,
  run: CapabilityRun & { readonly capability: string; readonly expiresAt: Date },
): Promise<void> {
  const { threshold, version, ...about } = run;
  const made = { actor: ctx.caller.actor, createdAt: ctx.clock.now() };
  await ctx.prisma.capabilityRun.createMany({
    data: [{ ...about, arguments: { threshold, version }, ...made }],
  });
}

/** Returns null for a run that is unknown or has expired. */
export async function findRun(ctx: Context, id: string, capability: string): Promise<CapabilityRun | null> {
  const row = await ctx.prisma.capabilityRun.findFirst({
    where: { id, capability, expiresAt: { gt: ctx.clock.now() } },
    select: columns('sourceCutoff', 'arguments'),
  });
  if (!row) return null;
  const { threshold, version = 'std-1' } = row.arguments;
  return { id, threshold, version, sourceCutoff: row.sourceCutoff };
}
