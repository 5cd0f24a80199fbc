import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Services } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { givenMessages, givenRecipients, givenSource } from '../sending/sending.fixture.ts';
import { setSendingStopped } from './emergency-stop.service.ts';
import { reaching, sendAll } from './messages.fixture.ts';
import { moveMessagesJob, releaseStoppedJob } from './messages.jobs.ts';
import { cancelMessages, holdMessages, messageCounts, releaseMessages } from './source-messages.service.ts';

const { services, ctx, fresh } = useServices();

let worker: Services;
beforeAll(() => {
  worker = reaching(services, []);
});
afterAll(() => worker.http.close());

const source = givenSource();
const hold = () => fresh().transaction((tx) => holdMessages(tx, source.id));
const release = () => fresh().transaction((tx) => releaseMessages(tx, source.id));
const cancel = () => fresh().transaction((tx) => cancelMessages(tx, source.id));
const counted = async () =>
  (await messageCounts(fresh(), [source.id])).map(({ status, reason, count }) => [status, reason, count]);
const changed = () => publishedEvents(ctx, 'engagement.message_source_changed');

const MANY = 12_001;
const statusCounts = async () =>
  Object.fromEntries(
    (
      await ctx.sql.query<{ key: string; count: number }>(
        `SELECT concat_ws(' ', status, reason, due_at IS NULL) AS key, count(*)::int AS count
           FROM engagement.messages WHERE workspace_id = $1 AND source_id = $2 GROUP BY 1`,
        [ctx.scope.workspaceId, source.id],
      )
    ).map(({ key, count }) => [key, count]),
  );
/** Messages of a paused source, after workers have claimed and held all of them. */
const givenHeld = async () => {
  const [memberId] = await givenRecipients(ctx, 1);
  await givenMessages(ctx, { memberIds: [memberId!], source });
  await hold();
  await sendAll(worker);
  await ctx.sql.query(
    `INSERT INTO engagement.messages (workspace_id, mode, id, channel, category, member_id, email_index,
            source_kind, source_id, content_id, status, reason, actor, created_at)
     SELECT workspace_id, mode, gen_random_uuid(), channel, category, member_id, email_index, source_kind,
            source_id, content_id, status, reason, actor, created_at
       FROM engagement.messages CROSS JOIN generate_series(2, $3)
      WHERE workspace_id = $1 AND source_id = $2`,
    [ctx.scope.workspaceId, source.id, MANY],
  );
};

test('the first come back at once and the others in the background', async () => {
  await givenHeld();
  await release();
  expect(await statusCounts()).toEqual({ 'QUEUED f': 5_000, 'QUEUED PAUSED t': MANY - 5_000 });
  expect(await changed()).toEqual([{ sourceId: source.id }]);
  await moveMessagesJob.run(fresh(), { sourceId: source.id });
  expect(await statusCounts()).toEqual({ 'QUEUED f': MANY });
});

test('those that a new pause meets in the background stay', async () => {
  await givenHeld();
  await release();
  await hold();
  await moveMessagesJob.run(fresh(), { sourceId: source.id });
  expect(await statusCounts()).toEqual({ 'QUEUED f': 5_000, 'QUEUED PAUSED t': MANY - 5_000 });
});

test('a cancellation counts for all at once', async () => {
  await givenHeld();
  await cancel();
  expect(await counted()).toEqual([['SKIPPED', 'CANCELLED', MANY]]);
  await moveMessagesJob.run(fresh(), { sourceId: source.id });
  expect(await statusCounts()).toEqual({ 'SKIPPED CANCELLED t': MANY });
  expect(await counted()).toEqual([['SKIPPED', 'CANCELLED', MANY]]);
});

test('the end of the emergency stop lets go the first at once and the others in the background', async () => {
  await givenHeld();
  await ctx.sql.query(
    `UPDATE engagement.messages SET due_at = 'infinity', reason = 'SENDING_STOPPED' WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  await setSendingStopped(fresh(), true);
  await setSendingStopped(fresh(), false);
  const left = async () => (await statusCounts())['QUEUED SENDING_STOPPED f'];
  expect(await left()).toBe(MANY - 5_000);
  expect(await publishedEvents(ctx, 'engagement.sending_released')).toHaveLength(1);
  await releaseStoppedJob.run(fresh(), {});
  expect(await left()).toBeUndefined();
});
