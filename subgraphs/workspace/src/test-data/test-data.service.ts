import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@loyalty/platform/context';
import { audit } from '@loyalty/platform/operations/audit';
import { publish } from '@loyalty/platform/outbox/events';
import { type PurgePart, purgeParts, testDataPurgeRequested } from '@loyalty/platform/outbox/test-data';
import { newId } from '@loyalty/platform/values/ids';
import {
  addPart,
  failPurge,
  findPurge as findRow,
  insertPurge,
  type TestDataPurge,
} from './test-data.store.ts';

export type { TestDataPurge };

/** How long the answer waits for a purge to end, so that small sandboxes need no second query. */
const WAIT_MS = 3_000;
const POLL_INTERVAL_MS = 50;

/** A purge of the workspace; null when there is none. */
export const findPurge = (ctx: Context, id: string): Promise<TestDataPurge | null> => findRow(ctx, id);

/**
 * Erases every row that was written in test mode: each subgraph empties its own tables by a job, and the
 * purge is complete once all have reported their counts. While a purge runs, it is returned.
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
  // Under an Idempotency-Key nothing is kept before the answer, so there is nothing to wait for.
  return ctx.idempotencyKey ? started : await ended(ctx, started);
}

async function ended(ctx: Context, started: TestDataPurge): Promise<TestDataPurge> {
  let purge = started;
  for (let waited = 0; waited < WAIT_MS && purge.status === 'RUNNING'; waited += POLL_INTERVAL_MS) {
    await delay(POLL_INTERVAL_MS);
    purge = (await findRow(ctx, started.id)) ?? purge;
  }
  return purge;
}

/** Notes that one part is empty. A part that is reported twice counts once. */
export const notePurged = (
  ctx: Context,
  purgeId: string,
  part: PurgePart,
  counts: Readonly<Record<string, number>>,
): Promise<void> => addPart(ctx, purgeId, part, counts, purgeParts);

/** Notes that a part could not be emptied. The purge then failed; a new one erases what is left. */
export const notePurgeFailed = (ctx: Context, purgeId: string, failure: string): Promise<void> =>
  failPurge(ctx, purgeId, failure);
