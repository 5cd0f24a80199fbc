import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { enterRuns } from '../journey-runs/enter-runs.service.ts';
import { claimAutomation, type DueAutomation, findDueMembers, setDueAt } from './due-members.store.ts';

/** Live channel that wakes who looks for members: an automation by the clock was activated. */
export const AUTOMATIONS_CHANNEL = 'automations';

const BATCH = 1_000;

/** Members reach their moment by the day or later; so it is soon enough to look this often. */
const EVERY_MS = 15 * MINUTE_MS;

/** After a failure. */
const AGAIN_MS = MINUTE_MS;

/**
 * Lets members enter one automation that is due, who reached its moment since. If this is interrupted,
 * another worker lets those in who are missing.
 *
 * @param ctx - the product itself, of no workspace
 * @returns whether there was one
 */
export async function enterDueMembers(ctx: Context): Promise<boolean> {
  const due = await claimAutomation(ctx, addMs(ctx.clock.now(), EVERY_MS));
  if (!due) return false;
  const scoped = ctx.as(systemCaller('run-automations', due));
  try {
    await enterAll(scoped, due);
  } catch (error) {
    await setDueAt(scoped, due.id, addMs(ctx.clock.now(), AGAIN_MS));
    throw error;
  }
  return true;
}

async function enterAll(ctx: Context, automation: DueAutomation): Promise<void> {
  const { id: journeyId, trigger } = automation;
  let afterId = NO_ID;
  for (;;) {
    const members = await findDueMembers(ctx, automation, { afterId, limit: BATCH });
    const entries = members.map((member) => ({ ...member, trigger: { kind: trigger.kind } }));
    await ctx.transaction((tx) => enterRuns(tx, { journeyId, entries }));
    if (members.length < BATCH) return;
    afterId = members.at(-1)!.memberId;
  }
}
