import { setTimeout as delay } from 'node:timers/promises';
import { awardPoints } from '@loyalty/loyalty-subgraph/points/points.service';
import { type Caller, defaultLimits } from '@loyalty/platform/base/caller';
import { loadConfig } from '@loyalty/platform/config/config';
import { createContext } from '@loyalty/platform/database/create-context';
import { createServices } from '@loyalty/platform/services';
import { peersWhenAsked } from '../harness/peers.ts';

/**
 * Awards points one after another, as a server does, until it is killed. It prints the id of each award that
 * was answered, because a client relies on those.
 */
const [, , memberId, workspaceId, directory] = process.argv as [string, string, string, string, string];
const config = loadConfig(process.env, directory);
const services = await createServices({ ...config, DATABASE_URL: config.DATABASE_URL! }, 'crash', {
  peers: peersWhenAsked,
});
const caller: Caller = {
  kind: 'USER',
  workspaceId,
  mode: 'LIVE',
  actor: 'user:crash',
  role: 'OWNER',
  scopes: ['*'],
  modules: ['*'],
  limits: { ...defaultLimits, valueWritesPerMinute: 1_000_000 },
};
for (let number = 1; ; number += 1) {
  const ctx = createContext(services, { caller, requestId: `crash-${number}` });
  const entry = await awardPoints(ctx, memberId, { amount: 1, description: `award ${number}` });
  process.stdout.write(`${entry.id}\n`);
  await delay(0);
}
