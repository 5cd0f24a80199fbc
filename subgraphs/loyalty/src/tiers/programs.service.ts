import { invalid } from '@loyalty/platform/base/errors';
import { gathered } from '@loyalty/platform/base/gathered';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/identity/audit';
import { publish } from '@loyalty/platform/work/events';
import {
  changeProgram,
  type DowngradePolicy,
  lockProgram,
  type Program,
  type ProgramSettings,
  programByWorkspace,
  workspacesWithPeriod,
} from './programs.store.ts';
import { tiersChanged } from './tiers.events.ts';

export type { DowngradePolicy };

const DAYS_MAX = 3_650;
const PENDING_DAYS_MAX = 365;

/** The settings of a workspace without its own. */
const DEFAULTS: Program = {
  pointsExpireAfterDays: null,
  pointsPendingDays: null,
  tierBasis: 'LIFETIME',
  tierPeriodDays: null,
  downgradePolicy: 'NONE',
  updatedAt: null,
};

/** Absent fields do not change; null turns off optional settings. */
type UpdateProgram = { readonly [K in keyof ProgramSettings]?: ProgramSettings[K] | null | undefined };

/** Returns the settings of points and tiers. */
export const getProgram = async (ctx: Context): Promise<Program> =>
  (await ctx.load(programByWorkspace, ctx.scope.workspaceId)) ?? DEFAULTS;

/**
 * Changes the settings, for later points and recalculations. A job upgrades members who qualify for a
 * higher tier by the new basis.
 *
 * @throws AppError VALIDATION_FAILED, TIER_PERIOD_MISSING (400)
 * @remarks Source: requirements L-TIE-08
 */
export async function updateProgram(ctx: Context, input: UpdateProgram): Promise<Program> {
  return ctx.transaction(async (tx) => {
    const before = await lockProgram(tx);
    const after = await changeProgram(tx, checkSettings(merge(before, input)));
    if (after.tierBasis !== before.tierBasis || after.tierPeriodDays !== before.tierPeriodDays)
      await publish(tx, tiersChanged, {});
    await audit(tx, {
      action: 'updateProgram',
      resourceType: 'Program',
      resourceId: tx.scope.workspaceId,
      before: { ...before },
      after: { ...after },
    });
    return after;
  });
}

/** Returns workspaces whose tiers are recalculated every night. */
export const listWorkspacesWithPeriod = (ctx: Context): Promise<string[]> => workspacesWithPeriod(ctx);

function merge(before: ProgramSettings, input: UpdateProgram): ProgramSettings {
  const pick = <K extends 'pointsExpireAfterDays' | 'pointsPendingDays' | 'tierPeriodDays'>(field: K) =>
    input[field] === undefined ? before[field] : input[field];
  return {
    pointsExpireAfterDays: pick('pointsExpireAfterDays'),
    pointsPendingDays: pick('pointsPendingDays') || null,
    tierPeriodDays: pick('tierPeriodDays'),
    tierBasis: input.tierBasis ?? before.tierBasis,
    downgradePolicy: input.downgradePolicy ?? before.downgradePolicy,
  };
}

function checkSettings(settings: ProgramSettings): ProgramSettings {
  const needsPeriod = settings.tierBasis === 'ROLLING' || settings.downgradePolicy !== 'NONE';
  return gathered((check) => {
    check(() => checkDays('pointsExpireAfterDays', settings.pointsExpireAfterDays, DAYS_MAX));
    check(() => checkDays('pointsPendingDays', settings.pointsPendingDays, PENDING_DAYS_MAX));
    check(() => checkDays('tierPeriodDays', settings.tierPeriodDays, DAYS_MAX));
    if (needsPeriod && settings.tierPeriodDays === null) {
      throw invalid(
        'input.tierPeriodDays',
        'is needed for a rolling basis and for downgrades',
        'TIER_PERIOD_MISSING',
      );
    }
    return settings;
  });
}

function checkDays(field: keyof ProgramSettings, days: number | null, most: number): void {
  if (days !== null && (days < 1 || days > most)) throw invalid(`input.${field}`, between(1, most));
}
