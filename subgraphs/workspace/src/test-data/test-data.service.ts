import { setTimeout as delay } from 'node:timers/promises';
import { systemCaller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { endOfWait } from '@loyalty/platform/database/create-context';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import { audit } from '@loyalty/platform/identity/audit';
import { publishEnd } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchJob } from '@loyalty/platform/subscriptions/watch-job';
import { publish } from '@loyalty/platform/work/events';
import { type PurgePart, purgeParts, testDataPurgeRequested } from '@loyalty/platform/work/test-data';
import {
  addPart,
  failPurge,
  findPurge as findRow,
  insertPurge,
  type TestDataPurge,
} from './test-data.store.ts';

export type { TestDataPurge };

/** Time for which the answer waits for the end of a purge, so that small sandboxes need no second query. */
const WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 50;

/** Loads a purge of the workspace; null if there is none. */
export const findPurge = (ctx: Context, id: string): Promise<TestDataPurge | null> => findRow(ctx, id);

/** Returns a context in LIVE mode: a purge has no mode, and callers of both modes must see its changes. */
const inOneMode = (ctx: Context): Context =>
  ctx.as(systemCaller('test-data-purge', { ...ctx.scope, mode: 'LIVE' }));

/** Yields a purge now and after its changes. @throws AppError TEST_DATA_PURGE_NOT_FOUND (404) */
export const watchPurge = (ctx: Context, id: string): Promise<Snapshots<TestDataPurge>> =>
  watchJob(inOneMode(ctx), id, { noun: 'testDataPurge', find: findPurge });

/** Returns the number of rows of all nouns together. */
export const erasedRows = ({ purged }: TestDataPurge): number =>
  Object.values(purged).reduce((sum, rows) => sum + rows, 0);

/**
 * Erases every row that was written in test mode: each subgraph empties its own tables by a job, and the
 * purge is complete when all have reported their counts. Returns the running purge if there is one.
 *
 * @remarks Source: v2 REST API, section 4 "Other paths", POST /test-data/purge; requirements L-TST-03
 */
export async function purgeTestData(ctx: Context): Promise<TestDataPurge> {
  const started = await ctx.transaction(async (tx) => {
    const { purge, isNew } = await insertPurge(tx, newId(tx.clock));
    if (!isNew) return purge;
    await publish(tx, testDataPurgeRequested, { purgeId: purge.id });
    await audit(tx, { action: 'purgeTestData', resourceType: 'TestDataPurge', resourceId: purge.id });
    return purge;
  });
  // With an Idempotency-Key nothing is committed before the answer, so waiting is pointless.
  return ctx.request.idempotencyKey ? started : await ended(ctx, started);
}

/**
 * Returns the purge when it has ended, or when the time is over. Errors of the reads are ignored, because the
 * purge was started.
 */
async function ended(ctx: Context, started: TestDataPurge): Promise<TestDataPurge> {
  const over = AbortSignal.timeout(
    Math.max(0, Math.ceil(endOfWait(ctx.request, WAIT_MS) - performance.now())),
  );
  let purge = started;
  const poll = async () => {
    while (purge.status === 'RUNNING' && !over.aborted) {
      await delay(POLL_INTERVAL_MS);
      purge = (await findRow(ctx, started.id)) ?? purge;
    }
  };
  const late = new Promise<void>((resolve) => {
    over.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([poll().catch((error: Error) => void readAppError(error, ctx)), late]);
  return purge;
}

/** Records that one part is empty. A repeated report of a part counts once. */
export async function notePurged(
  ctx: Context,
  purgeId: string,
  part: PurgePart,
  counts: Readonly<Record<string, number>>,
): Promise<void> {
  await addPart(ctx, purgeId, part, counts, purgeParts);
  publishEnd(inOneMode(ctx), 'testDataPurge', purgeId);
}

/** Records that a part could not be emptied: the purge has failed. A new purge erases the remaining rows. */
export async function notePurgeFailed(ctx: Context, purgeId: string, failure: string): Promise<void> {
  await failPurge(ctx, purgeId, failure);
  publishEnd(inOneMode(ctx), 'testDataPurge', purgeId);
}
