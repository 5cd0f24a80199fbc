import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import {
  isInstallationEmpty,
  openWorkspace,
} from '@loyalty/workspace-subgraph/workspaces/workspaces.service';
import { claimDemo } from './claim-demo.ts';
import { markComplete, markIncomplete } from './demo.store.ts';
import { demo } from './seed-data.ts';

const use = useServices();

test.each([
  { left: 'a complete demo', names: [demo.workspaceName], isMarked: false, isRemoved: false },
  {
    left: 'an incomplete demo beside the workspace of others',
    names: [demo.workspaceName, "Ada's workspace"],
    isMarked: true,
    isRemoved: false,
  },
  {
    left: 'the workspace of others beside an incomplete demo without a workspace',
    names: ["Ada's workspace"],
    isMarked: true,
    isRemoved: false,
  },
  // This case must be the last one: open connections still refer to the tables that it removes.
  { left: 'an incomplete demo', names: [demo.workspaceName], isMarked: true, isRemoved: true },
])('a start that finds $left empties the database: $isRemoved', async ({ names, isMarked, isRemoved }) => {
  const { services, newContext } = use;
  const config = { ...services.config, DATABASE_URL: services.url };
  await (isMarked ? markIncomplete(use.ctx) : markComplete(use.ctx));
  const opened = names.map((name) => openWorkspace(newContext({ workspaceId: randomUUID() }), name));
  await Promise.all(opened);
  const lines: string[] = [];
  const lock = await claimDemo(config, (line) => lines.push(line));
  await lock.release();
  expect(await isInstallationEmpty(use.ctx)).toBe(isRemoved);
  expect(lines).toHaveLength(isMarked ? 1 : 0);
  await services.database.sql.query('DELETE FROM workspace.workspaces');
});

test('a second process waits until the first has released the demo', async () => {
  const { services } = use;
  const config = { ...services.config, DATABASE_URL: services.url };
  await markComplete(use.ctx);
  const first = await claimDemo(config, () => undefined);
  const order: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const second = claimDemo(config, () => waiting.resolve()).then((lock) => {
    order.push('second has it');
    return lock;
  });
  await waiting.promise;
  order.push('first releases it');
  await first.release();
  await (await second).release();
  expect(order).toEqual(['first releases it', 'second has it']);
});
