import type { Context } from '@loyalty/platform/context';
import { forgetInRuns } from './agent-runs.store.ts';
import { lockRun } from './changing-runs.store.ts';
import { endRun } from './end-run.service.ts';

/** Erases what runs keep of a member: answers go, and a run that is under way ends with its conversation. */
export const forgetRuns = (ctx: Context, memberId: string): Promise<void> =>
  ctx.transaction(async (tx) => {
    for (const id of await forgetInRuns(tx, memberId)) {
      const run = await lockRun(tx, id, null);
      if (run) await endRun(tx, run, { status: 'FAILED', outcome: 'a member whom it was about was erased' });
    }
  });
