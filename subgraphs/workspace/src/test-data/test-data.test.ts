import { expect, test } from '@jest/globals';
import { createContext, deadlineIn } from '@loyalty/platform/database/create-context';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { purgeTestData } from './test-data.service.ts';

const LONG_MS = 60_000;
const { services, ctx } = useServices({ timeouts: { lockTimeoutMs: LONG_MS, statementTimeoutMs: LONG_MS } });

test('a purge whose end cannot be read is answered as it was started, before the time of its request is up', async () => {
  const { caller } = ctx;
  const locked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const purging = purgeTestData(
    createContext(services, { caller, requestId: 'test', deadlineAt: deadlineIn(3_000) }),
  );
  const purges = 'SELECT 1 FROM workspace.test_data_purges WHERE workspace_id = $1';
  await eventually(async () => expect(await ctx.sql.query(purges, [ctx.scope.workspaceId])).toHaveLength(1));
  const locking = services.database.transaction(async ({ sql }) => {
    await sql.query('LOCK TABLE workspace.test_data_purges');
    locked.resolve();
    await answered.promise;
  });
  await locked.promise;
  // The table is locked, so no read can have answered this.
  expect(await purging).toMatchObject({ status: 'RUNNING', purged: {} });
  answered.resolve();
  await locking;
});
