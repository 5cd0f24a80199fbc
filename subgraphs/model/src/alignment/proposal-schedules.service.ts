import { administratorOf, systemCaller, userOf } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { timeZoneOf } from '@loyalty/platform/database/time-zone';
import { audit } from '@loyalty/platform/identity/audit';
import { nextRun } from '../schedules/cadence.ts';
import type { AlignmentTargetName } from '../versions/model-version.ts';
import { checkHorizon, type ProposalRequest, proposeAlignment, usualHorizons } from './proposals.service.ts';
import {
  type DueProposal,
  findSchedules,
  lockDueSchedule,
  type ProposalSchedule,
  writeProposalRun,
  writeSchedule,
} from './proposals.store.ts';

const targets = Object.keys(usualHorizons) as AlignmentTargetName[];

/** On the first day of each month, at night. */
const MONTHLY = { frequency: 'MONTHLY', time: '03:00', weekday: 1, monthDay: 1, minNewSamples: 1 } as const;

/** Returns the schedules of proposals for each of the three targets; off by default. */
export async function listProposalSchedules(ctx: Context): Promise<ProposalSchedule[]> {
  const found = await findSchedules(ctx);
  return targets.map((target) => found.find((each) => each.target === target) ?? scheduleOff(target));
}

const scheduleOff = (target: AlignmentTargetName): ProposalSchedule => ({
  target,
  horizon: usualHorizons[target],
  nextRunAt: null,
  lastRunAt: null,
  lastVersionId: null,
  lastOutcome: null,
  administrator: '',
});

/**
 * Switches monthly proposals of a target on or off. They run on the first day of each month at 3:00 in the
 * workspace's time zone.
 *
 * @throws AppError VALIDATION_FAILED (400), PEER_UNAVAILABLE (503)
 */
export async function updateProposalSchedule(
  ctx: Context,
  input: ProposalRequest & { readonly enabled: boolean },
): Promise<ProposalSchedule> {
  const { target, enabled } = input;
  const horizon = checkHorizon('input.horizon', input);
  const nextRunAt = enabled ? await nextMonth(ctx) : null;
  await ctx.transaction(async (tx) => {
    await writeSchedule(tx, { target, horizon, nextRunAt, administrator: administratorOf(tx.caller) });
    await audit(tx, {
      action: 'updateAlignmentProposalSchedule',
      resourceType: 'Workspace',
      resourceId: tx.scope.workspaceId,
      after: { target, horizon, enabled },
    });
  });
  return (await listProposalSchedules(ctx)).find((each) => each.target === target)!;
}

const nextMonth = async (ctx: Context): Promise<Date> =>
  nextRun({ ...MONTHLY, timezone: await timeZoneOf(ctx) }, ctx.clock.now());

/**
 * Runs the schedule that has been due for longest, exactly once for each due time, also with several workers.
 *
 * @returns false if none was due
 */
export const runDueProposal = (ctx: Context): Promise<boolean> =>
  ctx.transaction(async (tx) => {
    const due = await lockDueSchedule(tx);
    if (!due) return false;
    const { workspaceId, mode, target } = due;
    const own = tx.as(systemCaller('alignment-proposals', { workspaceId, mode }));
    await writeProposalRun(own, { target, ...(await propose(own, due)), nextRunAt: await nextMonth(own) });
    return true;
  });

/** The person who enabled the schedule is responsible for its proposals. */
async function propose(
  tx: Context,
  { target, horizon, administrator }: DueProposal,
): Promise<Pick<ProposalSchedule, 'lastVersionId' | 'lastOutcome'>> {
  const person = userOf(administrator);
  const own = person ? tx.as({ ...tx.caller, accountId: person.id }) : tx;
  try {
    const { id } = await own.transaction((inner) => proposeAlignment(inner, { target, horizon }));
    return { lastVersionId: id, lastOutcome: 'A proposal is computed.' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { lastVersionId: null, lastOutcome: error.message };
  }
}
