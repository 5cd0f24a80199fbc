import { systemCaller } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { tryLockProfiles } from '../profiles/profiles.service.ts';
import { clearFailures, noteFailure, syncsBehind } from './profile-syncs.store.ts';
import { rebuildPage } from './rebuild-profiles.service.ts';
import { takeChanges } from './take-changes.service.ts';

/**
 * Brings profiles of all workspaces a step further: of each that is behind, a batch of changes and a page of
 * its rebuild, those first that have waited longest. Where a step fails, the workspace waits before the next
 * one, and the others go on. Any number of workers do so at once: a workspace that one works on is left out
 * by others.
 *
 * @returns whether there was anything to do
 */
export async function refreshDue(ctx: Context): Promise<boolean> {
  let isBusy = false;
  for (const scope of await syncsBehind(ctx)) {
    const own = ctx.as(systemCaller('refresh-profiles', scope));
    try {
      if (await refreshOne(own)) isBusy = true;
    } catch (error) {
      ctx.log.error({ err: error, ...scope }, 'profiles could not be refreshed');
      await noteFailure(own);
    }
  }
  return isBusy;
}

/** Each step is a transaction: what was taken comes back when it fails, or when its worker is killed. */
async function refreshOne(ctx: Context): Promise<boolean> {
  const taken = await inStep(ctx, async (tx) => (await takeChanges(tx)) > 0);
  const rebuilt = await inStep(ctx, (tx) => rebuildPage(tx));
  if (taken || rebuilt) await clearFailures(ctx);
  return taken || rebuilt;
}

const inStep = (ctx: Context, step: (tx: Context) => Promise<boolean>): Promise<boolean> =>
  ctx.transaction(async (tx) => (await tryLockProfiles(tx)) && step(tx));
