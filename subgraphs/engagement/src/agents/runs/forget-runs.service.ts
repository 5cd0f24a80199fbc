import type { Context } from '@loyalty/platform/context';
import { forgetInRuns } from './agent-runs.store.ts';
import { lockRun } from './changing-runs.store.ts';
import { endRun } from './end-run.service.ts';
import { forgetTexts } from './run-events.store.ts';

/**
 * Erases what runs keep of a member: answers, intents and arguments go, and a run that is under way ends with
 * its conversation.
 */
export const forgetRuns = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    const about = await forgetInRuns(tx, memberId);
    for (const { id } of about.filter(({ isRunning }) => isRunning)) {
      const run = await lockRun(tx, id, null);
      if (run) await endRun(tx, run, { status: 'FAILED', outcome: 'a member whom it was about was erased' });
    }
    const ids = about.map(({ id }) => id);
    if (ids.length > 0) await forgetTexts(tx, ids);
  });
