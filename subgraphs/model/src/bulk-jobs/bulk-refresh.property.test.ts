import { expect, test } from '@jest/globals';
import type { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { expireReservations } from '../credits/reservations.service.ts';
import { forgetMemberJob } from '../member-data.jobs.ts';
import {
  BUYER_CREDITS,
  divided,
  expectSound,
  givenBroken,
  givenCredits,
  givenStatus,
  moreCredits,
  systemIn,
  workerWithoutModel,
} from './bulk-faults.fixture.ts';
import {
  act as actOn,
  givenJob,
  givenMembers,
  jobOf,
  passTime,
  resultRows,
  scanAll,
  stateRows,
  workerContext,
  workOff,
} from './bulk-jobs.fixture.ts';
import { processChunksLoop } from './bulk-jobs.jobs.ts';
import type { ClaimedChunk } from './chunk.ts';
import { claimChunk } from './claims.store.ts';
import { resumeFundedJobs } from './job-stops.service.ts';
import { processChunk } from './process-chunk.service.ts';

const MEMBERS = 24;
const CHUNK = 5;
const RUNS = 30;

const { services, newContext } = useServices();

/** One job, and the effects of the schedule so far. */
interface Run {
  readonly ctx: Context;
  readonly id: string;
  readonly ids: readonly string[];
  /** Chunks of workers that stopped responding, and may write later. */
  readonly lost: ClaimedChunk[];
  readonly erased: Set<string>;
  readonly restricted: Set<string>;
}

const turn = async (worker: Context) => void (await processChunksLoop.turn(worker));

function unlessRefused(error: AppError): void {
  if (error.category !== 'PAYMENT_REQUIRED') throw error;
}

/** Acts that may happen at any time, in any order, several at once; `which` chooses a member. */
const acts: Readonly<Record<string, (run: Run, which: number) => Promise<unknown>>> = {
  work: () => turn(workerContext(services)),
  workTwice: () => Promise.all([turn(workerContext(services)), turn(workerContext(services))]),
  workWithoutModel: () => turn(workerWithoutModel(services)),
  async outage({ ctx }) {
    for (let calls = 0; calls < 12; calls += 1) {
      await turn(workerWithoutModel(services));
      await passTime(ctx);
    }
  },
  async workLong({ ctx }) {
    for (let turns = 0; turns < 3 * (MEMBERS / CHUNK); turns += 1) {
      await turn(workerContext(services));
      await passTime(ctx);
    }
  },
  scan: () => scanAll(workerContext(services)),
  passTime: ({ ctx }) => passTime(ctx),
  pause: ({ ctx, id }) => actOn(ctx, 'pauseBulkJob', id),
  resume: ({ ctx, id }) => actOn(ctx, 'resumeBulkJob', id),
  cancel: ({ ctx, id }, which) => (which < 3 ? actOn(ctx, 'cancelBulkJob', id) : Promise.resolve()),
  retry: ({ ctx, id }) => actOn(ctx, 'retryBulkJob', id),
  async lose({ lost }) {
    const { chunk } = await claimChunk(workerContext(services), 100);
    if (chunk) lost.push(chunk);
  },
  async writeLate({ ctx, lost }) {
    const chunk = lost.shift();
    if (chunk) await processChunk(systemIn(workerContext(services), ctx), chunk);
  },
  async failLate({ ctx, lost }) {
    const chunk = lost.shift();
    if (chunk) await processChunk(systemIn(workerWithoutModel(services), ctx), chunk);
  },
  breakMember: ({ ctx, ids }, which) => givenBroken(ctx, [ids[which]!]),
  repairMembers: ({ ctx, ids }) => givenBroken(ctx, ids, false),
  async fund({ ctx }, which) {
    // Workers may spend the deposit before all but a part of it is removed again.
    await moreCredits(ctx, 20 * (1 + which)).catch(unlessRefused);
    await resumeFundedJobs(workerContext(services));
  },
  async restrict({ ctx, ids, restricted }, which) {
    restricted.add(ids[which]!);
    await givenStatus(ctx, ids[which]!, 'is_restricted = true');
  },
  async erase({ ctx, ids, erased }, which) {
    const memberId = ids[which]!;
    if (erased.size > 3) return;
    erased.add(memberId);
    await givenStatus(ctx, memberId, `status = 'DELETED'`);
    const product = systemIn(workerContext(services), ctx);
    // Like the queue after an attempt that found the database busy.
    await whenAvailable(() => forgetMemberJob.run(product, { memberId }), ctx.request.signal);
  },
};

const often = ['work', 'workTwice', 'passTime', 'breakMember'];
type Step = { readonly act: string; readonly which: number };

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...Object.keys(acts), ...often, ...often),
  which: fc.nat(MEMBERS - 1),
});
/** The steps of one list happen concurrently. */
const schedule = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 40 });

const reached = new Map<string, number>();
const reach = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1);

async function startedRun(credits: number): Promise<Run> {
  const ctx = newContext();
  await givenCredits(ctx, credits);
  const ids = await givenMembers(ctx, MEMBERS, { buyers: MEMBERS - 3 });
  const id = await givenJob(ctx);
  await scanAll(workerContext(services));
  await divided(workerContext(services), ctx, ids, CHUNK);
  return { ctx, id, ids, lost: [], erased: new Set(), restricted: new Set() };
}

async function expectSoundRun({ ctx, id, erased }: Run): Promise<void> {
  const { succeeded, credits } = await expectSound(ctx, id, { erased: erased.size });
  expect(credits).toBe(succeeded * BUYER_CREDITS);
  for (const memberId of erased) {
    expect((await resultRows(ctx, id)).has(memberId)).toBe(false);
    expect((await stateRows(ctx)).has(memberId)).toBe(false);
  }
}

/** Finishes the job with enough credits, a model that answers, and valid facts. */
async function finishedRun(run: Run): Promise<void> {
  const { ctx, id, ids } = run;
  await moreCredits(ctx, 9_000);
  await givenBroken(ctx, ids, false);
  for (let round = 0; round < 8; round += 1) {
    const { status } = await jobOf(ctx, id);
    reach(`${round === 0 ? 'left' : 'was'} ${status}`);
    if (status === 'COMPLETED' || status === 'CANCELLED') return;
    await actOn(ctx, status === 'COMPLETED_WITH_ERRORS' ? 'retryBulkJob' : 'resumeBulkJob', id);
    await passTime(ctx);
    await workOff(workerContext(services));
    await expectSoundRun(run);
  }
}

async function play(credits: number, moments: readonly (readonly Step[])[]): Promise<void> {
  const run = await startedRun(credits);
  for (const steps of moments) {
    await Promise.all(steps.map(({ act, which }) => acts[act]!(run, which)));
    await expectSoundRun(run);
    reach((await jobOf(run.ctx, run.id)).pauseReason);
  }
  await finishedRun(run);
  const { ctx, id, ids, lost, erased, restricted } = run;
  const before = await everyRow(ctx);
  for (const chunk of lost) await processChunk(systemIn(workerContext(services), ctx), chunk);
  expect(await everyRow(ctx)).toEqual(before);
  const job = await jobOf(ctx, id);
  if (job.status === 'CANCELLED') return;
  const results = await resultRows(ctx, id);
  const wanted = ids.filter((each) => !erased.has(each) && !restricted.has(each));
  expect(wanted.filter((each) => (results.get(each)?.status ?? 'FAILED') === 'FAILED')).toEqual([]);
  expect(job.processed).toBeGreaterThanOrEqual(wanted.length);
  expect(job.processed).toBeLessThanOrEqual(MEMBERS);
  await expireReservations(workerContext(services));
  const [wallet] = await ctx.sql.query('SELECT reserved FROM model.wallets WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(wallet).toEqual({ reserved: 0n });
}

/** Returns everything a client can see of the job, its members and their price. */
const everyRow = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    `SELECT (SELECT jsonb_agg(j ORDER BY id) FROM model.bulk_jobs AS j WHERE j.workspace_id = $1),
            (SELECT jsonb_agg(r ORDER BY job_id, member_id) FROM model.bulk_results AS r
              WHERE r.workspace_id = $1) AS results,
            (SELECT jsonb_agg(s ORDER BY member_id) FROM model.member_states AS s
              WHERE s.workspace_id = $1) AS states,
            (SELECT jsonb_agg(c ORDER BY job_id, number) FROM model.bulk_chunks AS c
              WHERE c.workspace_id = $1) AS chunks,
            (SELECT jsonb_agg(e ORDER BY sequence, account) FROM model.credit_entries AS e
              WHERE e.workspace_id = $1) AS entries`,
    [ctx.scope.workspaceId],
  );

const once = (act: string): Step[] => [{ act, which: 0 }];

/** Schedules for states that random ones may miss. */
const examples: [number, Step[][]][] = [
  [0, [once('work')]],
  [9_000, [once('outage')]],
  [9_000, [once('pause')]],
  [9_000, [once('work'), once('cancel')]],
  [9_000, [once('workLong')]],
  [9_000, [once('breakMember'), once('workLong'), once('workLong')]],
];

test('whatever happens to workers, model, wallet and members, each member is counted, charged and saved once', async () => {
  const credits = fc.constantFrom(0, 200, 400, 9_000);
  await fc.assert(fc.asyncProperty(credits, schedule, play), {
    numRuns: RUNS,
    examples,
  });
  // Records the states that the schedules reached: a test that reaches nothing proves nothing.
  const reasons = ['INSUFFICIENT_CREDITS', 'MODEL_SERVICE_UNAVAILABLE', 'REQUESTED'];
  const ends = ['left CANCELLED', 'left COMPLETED', 'left COMPLETED_WITH_ERRORS', 'was COMPLETED'];
  expect([...reached.keys()]).toEqual(expect.arrayContaining([...reasons, ...ends]));
}, 180_000);
