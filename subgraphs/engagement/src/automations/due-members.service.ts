import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs, MINUTE_MS } from '@loyalty/platform/base/clock';
import { NO_ID } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { enterRuns } from '../journey-runs/enter-runs.service.ts';
import { claimAutomation, type DueAutomation, findDueMembers, setDueAt } from './due-members.store.ts';

/**
 * Live channel that wakes the worker that searches for due members, after an automation by time was
 * activated.
 */
export const AUTOMATIONS_CHANNEL = 'automations';

const BATCH = 1_000;

/** Interval of searches for due members. Triggers by time have a precision of a day or so. */
const EVERY_MS = 15 * MINUTE_MS;

/** Interval after a failure. */
const AGAIN_MS = MINUTE_MS;

/**
 * Enters members into one due automation who have reached its time since the last search. If this is
 * interrupted, another worker enters the missing members.
 *
 * @param ctx - a context of the product, without a workspace
 * @returns whether an automation was due
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
