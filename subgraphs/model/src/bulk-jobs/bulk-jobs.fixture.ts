import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context, Services } from '@loyalty/platform/context';
import { type Answer, ask } from '@loyalty/test/harness/ask';
import { contextOf } from '@loyalty/test/harness/services';
import { FOLD_VERSION } from '../facts/fold.ts';
import { model } from '../subgraph.ts';
import { processChunksLoop, scanBulkJobsLoop } from './bulk-jobs.jobs.ts';

const JOB = `id name modelVersion status state pauseReason processed succeeded unavailable failed attempts
  total creditsCharged sourceCutoff startedAt finishedAt detailsExpireAt`;

/** Inserts members as rows; `buyers` of them bought on three days. Ids ascend. */
export async function givenMembers(
  ctx: Context,
  count: number,
  { buyers = count }: { readonly buyers?: number } = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId(ctx.clock));
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO loyalty.members (id, workspace_id, mode, status, enrollment_source, last_activity_at,
       created_at, updated_at)
     SELECT id, $1, $2::platform."Mode", 'ACTIVE', 'API', $3, $3, $3 FROM unnest($4::uuid[]) AS id`,
    [workspaceId, mode, ctx.clock.now(), ids],
  );
  await ctx.sql.query(
    `INSERT INTO model.member_statistics (workspace_id, mode, member_id, first_day, last_day, purchase_days,
       log_sum, log_squares, day_squares, decayed_orders, max_occurred_at, time_zone, version)
     SELECT $1, $2::platform."Mode", id, $3::date - 100, $3::date - 10, 3, 7.6, 28.9, 4050, 1.2,
            $3::date - 10, 'UTC', $5
       FROM unnest($4::uuid[]) AS id`,
    [workspaceId, mode, ctx.clock.now(), ids.slice(0, buyers), FOLD_VERSION],
  );
  return ids;
}

export const createJob = (
  ctx: Context,
  name = 'nightly',
  idempotencyKey = newId(ctx.clock),
  modelVersion?: string,
): Promise<Answer> =>
  ask(
    model,
    ctx,
    `mutation ($input: CreateBulkJobInput!) { createBulkJob(input: $input) { reused bulkJob { ${JOB} } } }`,
    { input: { name, idempotencyKey, ...(modelVersion && { modelVersion }) } },
  );

/** Creates a job and returns its id. */
export async function givenJob(ctx: Context): Promise<string> {
  const { data } = await createJob(ctx);
  return data.createBulkJob.bulkJob.id;
}

export async function jobOf(ctx: Context, id: string) {
  const { data } = await ask(
    model,
    contextOf(ctx.services, ctx.caller),
    `{ bulkJob(id: "${id}") { ${JOB} } }`,
  );
  return data.bulkJob;
}

type Action = 'pauseBulkJob' | 'resumeBulkJob' | 'cancelBulkJob' | 'retryBulkJob';

export const act = (ctx: Context, action: Action, id: string): Promise<Answer> =>
  ask(model, contextOf(ctx.services, ctx.caller), `mutation { ${action}(id: "${id}") { ${JOB} } }`);

/** Returns the context of a worker's loop, with the largest budget of calls. */
export function workerContext(services: Services, given: Partial<Services['config']> = {}): Context {
  const config = { ...services.config, BULK_CALLS_PER_SECOND: 100, ...given };
  return contextOf({ ...services, config }, systemCaller('test'));
}

/** Divides the members of all jobs into chunks. */
export async function scanAll(worker: Context): Promise<void> {
  while ((await scanBulkJobsLoop.turn(worker)) < 1_000);
}

/** Works like one worker until nothing can be done now. */
export async function workOff(worker: Context): Promise<void> {
  await scanAll(worker);
  for (;;) {
    const waitMs = await processChunksLoop.turn(worker);
    if (waitMs >= 1_000) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  await scanAll(worker);
}

/**
 * Makes everything due now: leases and delays after failures end, and no worker counts as lost. Concurrent
 * calls are allowed.
 */
export const passTime = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `UPDATE model.bulk_chunks AS c SET due_at = now() - interval '1 second', claims = 0
       FROM (SELECT job_id, number FROM model.bulk_chunks
              WHERE workspace_id = $1 AND is_open ORDER BY job_id, number FOR UPDATE) AS later
      WHERE c.workspace_id = $1 AND c.job_id = later.job_id AND c.number = later.number`,
    [ctx.scope.workspaceId],
  );

/** Returns results by member, as rows. */
export async function resultRows(
  ctx: Context,
  jobId: string,
): Promise<Map<string, { status: string; attempts: number }>> {
  const rows = await ctx.sql.query<{ id: string; status: string; attempts: number }>(
    `SELECT member_id AS id, status, attempts FROM model.bulk_results WHERE workspace_id = $1 AND job_id = $2`,
    [ctx.scope.workspaceId, jobId],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** Returns the jobs of the latest states, by member. */
export async function stateRows(ctx: Context): Promise<Map<string, string | null>> {
  const rows = await ctx.sql.query<{ id: string; jobId: string | null }>(
    `SELECT member_id AS id, job_id FROM model.member_states WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  return new Map(rows.map(({ id, jobId }) => [id, jobId]));
}
