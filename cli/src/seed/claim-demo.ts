import { createServices } from '@loyalty/platform/services';
import { applyMigrations, removeEverything } from '@loyalty/prisma/migrate/migrate';
import { type SessionLock, takeSessionLock } from '@loyalty/prisma/session-lock';
import { hasNoOtherWorkspace } from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import type { ConnectedConfig } from '../environment.ts';
import { isIncomplete } from './demo.store.ts';
import { unattended } from './seed.ts';
import { demo } from './seed-data.ts';

/** Any number that no other program locks; processes that write the demo wait for each other with it. */
const DEMO_LOCK = 4_023_771_959;

/**
 * Makes the database ready for `seedIfEmpty`: no other process writes the demo until the lock is given back,
 * and what an earlier one left incomplete is removed. Call it before anything else uses the database.
 */
export async function claimDemo(config: ConnectedConfig, say: (line: string) => void): Promise<SessionLock> {
  const { DATABASE_URL } = config;
  const lock = await takeSessionLock(DATABASE_URL, DEMO_LOCK, () =>
    say('Another process seeds the demo workspace; waiting for it …'),
  );
  try {
    const left = await leftIn(config);
    if (left === 'INCOMPLETE') {
      say('The demo workspace was not completed last time; it is removed and seeded anew.');
      await removeEverything(DATABASE_URL);
      await applyMigrations(DATABASE_URL);
    }
    if (left === 'INCOMPLETE_AMONG_OTHERS')
      say('The demo workspace was not completed; it stays so, because there are other workspaces.');
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function leftIn(config: ConnectedConfig): Promise<'INCOMPLETE' | 'INCOMPLETE_AMONG_OTHERS' | null> {
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
