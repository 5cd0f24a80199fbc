import { describe, expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import {
  givenJob,
  givenMembers,
  jobOf,
  resultRows,
  stateRows,
  workerContext,
  workOff,
} from './bulk-jobs.given.ts';

const { services, newContext } = useServices();

const worker = () => workerContext(services);
const funded = (ctx: ReturnType<typeof newContext>) =>
  ctx.sql.query(`UPDATE model.wallets SET balance = 1000000, plan = 'PAID' WHERE workspace_id = $1`, [
    ctx.scope.workspaceId,
  ]);

describe('a refresh', () => {
  test('saves a state and a result for every member, each once', async () => {
    const ctx = newContext({ mode: 'TEST' });
    const ids = await givenMembers(ctx, 2_500, { buyers: 2_400 });
    const id = await givenJob(ctx);
    await workOff(worker());
    expect(await jobOf(ctx, id)).toMatchObject({
      status: 'COMPLETED',
      processed: 2_500,
      succeeded: 2_400,
      unavailable: 100,
      failed: 0,
      attempts: 2_500,
      total: 2_500,
      creditsCharged: 0,
    });
    expect([...(await resultRows(ctx, id)).keys()].sort()).toEqual(ids);
    expect(new Set((await stateRows(ctx)).values())).toEqual(new Set([id]));
  });
});
void funded;
