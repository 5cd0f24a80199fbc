import { createServices } from '@loyalty/platform/services';
import { applyMigrations, removeEverything } from '@loyalty/prisma/migrate/migrate';
import { type SessionLock, takeSessionLock } from '@loyalty/prisma/session-lock';
import { hasNoOtherWorkspace } from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import type { ConnectedConfig } from '../environment.ts';
import { isIncomplete } from './demo.store.ts';
import { unattended } from './seed.ts';
import { demo } from './seed-data.ts';

/**
 * Key of the database lock with which processes that write the demo wait for each other. No other program may
 * use it.
 */
const DEMO_LOCK = 4_023_771_959;

/**
 * Prepares the database for `seedIfEmpty`. No other process writes the demo until the lock is released. A
 * demo that an earlier process left incomplete is removed, unless there are other workspaces. Call this
 * before anything else uses the database.
 */
export async function claimDemo(config: ConnectedConfig, say: (line: string) => void): Promise<SessionLock> {
  const { DATABASE_URL } = config;
  const lock = await takeSessionLock(DATABASE_URL, DEMO_LOCK, () =>
    say('Another process seeds the demo workspace; waiting for it …'),
  );
  try {
    const found = await findIncompleteDemo(config);
    if (found === 'INCOMPLETE') {
      say('The demo workspace was not completed last time; it is removed and seeded anew.');
      await removeEverything(DATABASE_URL);
      await applyMigrations(DATABASE_URL);
    }
    if (found === 'INCOMPLETE_AMONG_OTHERS')
      say('The demo workspace was not completed; it stays so, because there are other workspaces.');
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function findIncompleteDemo(
  config: ConnectedConfig,
): Promise<'INCOMPLETE' | 'INCOMPLETE_AMONG_OTHERS' | null> {
  const { close, ...services } = await createServices(config, 'seed');
  try {
    return await unattended({ ...services, config }, async (ctx) => {
      if (!(await isIncomplete(ctx))) return null;
      return (await hasNoOtherWorkspace(ctx, demo.workspaceName)) ? 'INCOMPLETE' : 'INCOMPLETE_AMONG_OTHERS';
    });
  } finally {
    await close();
  }
}
