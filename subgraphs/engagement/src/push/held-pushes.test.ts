import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Services } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { setSendingStopped } from '../messages/emergency-stop.service.ts';
import { reaching } from '../messages/messages.fixture.ts';
import {
  cancelMessages,
  holdMessages,
  releaseMessages,
  waitForMessages,
} from '../messages/source-messages.service.ts';
import { checkNotification } from './notification.ts';
import { sendPushJob } from './push.jobs.ts';
import { sendPushes } from './push-sending.service.ts';
import { newBrowser, startPushService } from './push-service.fixture.ts';
import { browsersOf, subscribe } from './push-subscriptions.service.ts';

const { services, ctx, fresh } = useServices();

let service: Awaited<ReturnType<typeof startPushService>>;
let worker: Services;
beforeAll(async () => {
  service = await startPushService();
  worker = reaching(services, [service.host]);
});
afterAll(async () => {
  await Promise.all([service.close(), worker.http.close()]);
});

/** Two queued notifications of two sources, each to one browser. */
let held: { readonly sourceId: string; readonly path: string };
let other: { readonly sourceId: string; readonly path: string };
beforeEach(async () => {
  service.pushes.length = 0;
  [held, other] = [await givenPush(), await givenPush()];
});

let browsers = 0;

async function givenPush() {
  browsers += 1;
  const [memberId, path, sourceId] = [newId(services.clock), `/b${browsers}`, newId(services.clock)];
  const member = { ...ctx.caller, kind: 'MEMBER', actor: `member:${memberId}`, role: null } as const;
  await subscribe(contextOf(worker, member), {
    endpoint: `${service.url}${path}`,
    keys: newBrowser().keys,
  });
  const subscriptionIds = await browsersOf(ctx, [memberId]);
  const notification = checkNotification({ title: 'Your points' });
  await sendPushes(fresh(), [{ notification, subscriptionIds, sourceId }]);
  return { sourceId, path };
}

/** Sends the batches, as the relay and a worker do. */
async function deliver(): Promise<void> {
  const batches = await ctx.sql.query<{ id: string }>(
    'SELECT id FROM engagement.push_batches WHERE workspace_id = $1 ORDER BY id',
    [ctx.scope.workspaceId],
  );
  for (const { id } of batches) await sendPushJob.run(contextOf(worker, ctx.caller), { pushBatchId: id });
}

const within = (change: typeof holdMessages) => fresh().transaction((tx) => change(tx, held.sourceId));
const paths = () => service.pushes.map(({ path }) => path);
const requested = async () => (await publishedEvents(ctx, 'engagement.push_requested')).length;

test('after a pause a push leaves no more, and after the release it leaves once', async () => {
  await within(holdMessages);
  await deliver();
  await deliver();
  expect(paths()).toEqual([other.path]);
  const before = await requested();
  await within(releaseMessages);
  expect((await requested()) - before).toBe(1);
  await deliver();
  await deliver();
  expect(paths()).toEqual([other.path, held.path]);
});

test('a cancellation deletes a push that waits', async () => {
  await within(cancelMessages);
  await deliver();
  await within(releaseMessages);
  await deliver();
  expect(paths()).toEqual([other.path]);
});

test('the emergency stop holds pushes of all sources until it ends', async () => {
  await setSendingStopped(fresh(), true);
  await deliver();
  expect(paths()).toEqual([]);
  const before = await requested();
  await setSendingStopped(fresh(), false);
  expect((await requested()) - before).toBe(2);
  await deliver();
  expect(paths()).toEqual([held.path, other.path]);
});

test('a pause waits for a push that is on its way, and nobody else sends it meanwhile', async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  service.answerAfter(held.path, answered);
  const sending = deliver();
  await eventually(() => expect(paths()).toContain(held.path));
  await expect(deliver()).rejects.toMatchObject({ code: 'PUSH_BATCH_TAKEN' });
  await within(holdMessages);
  let isOver = false;
  const waiting = waitForMessages(fresh(), held.sourceId).then(() => {
    isOver = true;
  });
  await delay(200);
  expect(isOver).toBe(false);
  answer();
  await Promise.all([waiting, sending]);
  expect(paths().filter((path) => path === held.path)).toHaveLength(1);
});
