import { expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { expirePoints } from '../points/due-lots.service.ts';
import { updateProgram } from '../tiers/programs.service.ts';
import { startBulkAward } from './bulk-awards.service.ts';
import { runBulkAward } from './run-bulk-award.service.ts';

const { services, ctx } = useServices({ isWorkspaceShared: true });

const MEMBERS = 10_000;

/** Inserts members before PostgreSQL has statistics of them: it assumes an empty table. */
const fill = () =>
  ctx.sql.query(
    `INSERT INTO loyalty.members (workspace_id, mode, id, status, enrollment_source, last_activity_at,
       created_at, updated_at)
     SELECT $1, 'LIVE', ('0197a3c2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'ACTIVE', 'IMPORT',
            $2, $2, $2 FROM generate_series(1, ${MEMBERS}) AS n`,
    [ctx.scope.workspaceId, ctx.clock.now()],
  );

test('thousands of members that just arrived get their points, and lose them, without a statement too slow', async () => {
  await updateProgram(ctx, { pointsExpireAfterDays: 1 });
  await fill();
  const { id } = await startBulkAward(ctx, { amount: 5, description: 'welcome', status: 'ACTIVE' });
  const product = contextOf(services, systemCaller('test', ctx.scope));
  await runBulkAward(product, id);
  const sums = () =>
    ctx.sql.query('SELECT sum(points_balance)::int AS points FROM loyalty.members WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
  expect(await sums()).toEqual([{ points: MEMBERS * 5 }]);
  services.clock.advance(2 * 86_400_000);
  await expirePoints(contextOf(services, systemCaller('test')));
  expect(await sums()).toEqual([{ points: 0 }]);
});
