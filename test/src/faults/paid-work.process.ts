import { setTimeout as delay } from 'node:timers/promises';
import { paidWork } from '@loyalty/model-subgraph/credits/paid-work.service';
import { systemCaller } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';

/**
 * Does paid work for several callers at once, as a server does, until it is killed. After each answer it
 * prints the credits that were charged, so that the parent knows which answers clients received.
 */
const [, , workspaceId, directory, callers] = process.argv as [string, string, string, string, string];
const config = loadConfig(process.env, directory);
const services = await createServices({ ...config, DATABASE_URL: config.DATABASE_URL! }, 'crash');
const caller = systemCaller('crash', { workspaceId, mode: 'LIVE' });

async function answer(inTransaction: boolean): Promise<void> {
  for (;;) {
    const ctx = createContext(services, { caller, requestId: 'crash' });
    const credits = await paidWork(ctx, { maximum: 30, purpose: 'Score' }, async (settle) => {
      await delay(2);
      return inTransaction ? ctx.transaction((tx) => settle(tx, 7)) : settle(ctx, 7);
    });
    process.stdout.write(`${credits}\n`);
  }
}

await Promise.all(Array.from({ length: Number(callers) }, (_, number) => answer(number % 4 === 0)));
