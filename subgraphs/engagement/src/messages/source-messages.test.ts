import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Context, Services } from '@loyalty/platform/context';
import { createContext, deadlineIn } from '@loyalty/platform/database/create-context';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { unsubscribeByToken } from '../preferences/preferences.service.ts';
import { pruneEngagementJob } from '../retention.jobs.ts';
import { givenMessages, givenRecipients, givenSource, messagesOf } from '../sending/sending.fixture.ts';
import { sendMessagesLoop } from '../sending/sending.jobs.ts';
import { recordMessageEvent } from './message-events.service.ts';
import { givenProvider, type MailApi, reaching, sendAll, startMailApi } from './messages.fixture.ts';
import {
  cancelMessages,
  holdMessages,
  linksOfSource,
  messageCounts,
  releaseMessages,
  sourceChannel,
  waitForMessages,
} from './source-messages.service.ts';

const { services, ctx, fresh, newContext } = useServices();

let api: MailApi;
let workers: readonly Services[];

beforeAll(async () => {
  api = await startMailApi();
  workers = [1, 2].map(() => reaching(services, [api.host]));
});
afterAll(async () => {
  await Promise.all([api.close(), ...workers.map(({ http }) => http.close())]);
});
beforeEach(() => {
  api.mails.length = 0;
  api.answerWith(() => 200);
});

const source = givenSource();
const hold = (on: Context = fresh(), id = source.id) => on.transaction((tx) => holdMessages(tx, id));
const release = (id = source.id) => fresh().transaction((tx) => releaseMessages(tx, id));
const cancel = () => fresh().transaction((tx) => cancelMessages(tx, source.id));
const statuses = async (on: Context = ctx) =>
  (await messagesOf(on)).map(({ status, reason }) => [status, reason]);
const counted = async (sourceId = source.id) =>
  (await messageCounts(fresh(), [sourceId])).map(({ status, reason, count }) => [status, reason, count]);

/** Makes the provider wait; returns a function that lets it respond. */
function heldAnswer(status = 200): () => void {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  api.answerWith(() => held.then(() => status));
  return answer;
}

const turn = (worker: Services) => sendMessagesLoop.turn(contextOf(worker, systemCaller('test')));
const drain = (worker: Services) => sendMessagesLoop.drain!(contextOf(worker, systemCaller('test')));

test('under load, nothing leaves any more once a pause is answered; afterwards each is sent once', async () => {
  await givenProvider(ctx, api);
  const other = givenSource();
  const memberIds = await givenRecipients(ctx, 250);
  for (const nodeId of ['a', 'b', 'c', 'd', 'e'])
    await givenMessages(ctx, { memberIds, source: { ...source, nodeId } });
  await givenMessages(ctx, { memberIds: memberIds.slice(0, 50), source: other });
  api.answerWith(() => delay(100, 200));
  const rows = await ctx.sql.query<{ id: string }>(
    'SELECT id FROM engagement.messages WHERE source_id = $1',
    [source.id],
  );
  const ids = new Set(rows.map(({ id }) => id));
  const own = () => api.mails.filter(({ key }) => ids.has(key!)).length;
  const sending: Promise<unknown> = Promise.all(workers.map(sendAll));
  await eventually(() => expect(api.mails.length).toBeGreaterThan(100));
  await hold();
  await waitForMessages(fresh(), source.id);
  const atPause = own();
  expect(atPause).toBeLessThan(1_250);
  await sending;
  await Promise.all(workers.map(sendAll));
  expect(own()).toBe(atPause);
  const byStatus = async () => {
    const sums: Record<string, number> = {};
    for (const [status, , count] of await counted())
      sums[status as string] = (sums[status as string] ?? 0) + (count as number);
    return sums;
  };
  expect(await byStatus()).toEqual({ QUEUED: 1_250 - atPause, SENT: atPause });
  expect(await counted(other.id)).toEqual([['SENT', '', 50]]);
  await release();
  await Promise.all(workers.map(sendAll));
  expect(await byStatus()).toEqual({ SENT: 1_250 });
  expect(new Set(api.mails.map(({ key }) => key)).size).toBe(1_300);
  expect(api.mails).toHaveLength(1_300);
});

test('a pause waits for what a provider has in hand, and that is sent once', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { count: 3, source });
  const answer = heldAnswer();
  await turn(workers[0]!);
  await eventually(() => expect(api.mails).toHaveLength(3));
  await hold();
  let isOver = false;
  const waiting = waitForMessages(fresh(), source.id).then(() => {
    isOver = true;
  });
  await delay(200);
  expect(isOver).toBe(false);
  // Sending resumes before the provider has responded. No message may be sent twice.
  await release();
  await sendAll(workers[1]!);
  expect(api.mails).toHaveLength(3);
  answer();
  await waiting;
  await drain(workers[0]!);
  expect(await statuses()).toEqual([
    ['SENT', null],
    ['SENT', null],
    ['SENT', null],
  ]);
  services.clock.advance(10 * MINUTE_MS);
  await sendAll(workers[1]!);
  expect(api.mails).toHaveLength(3);
});

test('a pause waits no longer than its request has time, and what is in hand is still sent once', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { count: 1, source });
  const answer = heldAnswer();
  await turn(workers[0]!);
  await eventually(() => expect(api.mails).toHaveLength(1));
  await hold();
  const { caller } = ctx;
  // The provider responds after the wait has ended.
  await waitForMessages(
    createContext(services, { caller, requestId: 'test', deadlineAt: deadlineIn(2_000) }),
    source.id,
  );
  answer();
  await drain(workers[0]!);
  await release();
  await sendAll(workers[1]!);
  expect(api.mails).toHaveLength(1);
  expect(await statuses()).toEqual([['SENT', null]]);
});

test('what a provider refuses after a pause goes to no other one until the release', async () => {
  await givenProvider(ctx, api);
  const second = await startMailApi();
  const both = reaching(services, [api.host, second.host]);
  await givenProvider(ctx, second);
  await givenMessages(ctx, { count: 2, source });
  const answer = heldAnswer(503);
  await turn(both);
  await eventually(() => expect(api.mails).toHaveLength(2));
  await hold();
  answer();
  await waitForMessages(fresh(), source.id);
  await drain(both);
  expect([second.mails.length, await statuses()]).toEqual([
    0,
    [
      ['QUEUED', 'PAUSED'],
      ['QUEUED', 'PAUSED'],
    ],
  ]);
  await release();
  await sendAll(both);
  expect(second.mails).toHaveLength(2);
  await Promise.all([both.http.close(), second.close()]);
});

test('what was cancelled is never sent; what had left counts as sent', async () => {
  await givenProvider(ctx, api);
  const memberIds = await givenRecipients(ctx, 2);
  await givenMessages(ctx, { memberIds: [memberIds[0]!], source });
  const answer = heldAnswer();
  await turn(workers[0]!);
  await eventually(() => expect(api.mails).toHaveLength(1));
  await givenMessages(ctx, { memberIds: [memberIds[1]!], source });
  await hold();
  await cancel();
  answer();
  await waitForMessages(fresh(), source.id);
  await drain(workers[0]!);
  await release();
  await sendAll(workers[0]!);
  expect(await statuses()).toEqual([
    ['SENT', null],
    ['SKIPPED', 'CANCELLED'],
  ]);
  expect(api.mails).toHaveLength(1);
});

test('other sources, workspaces and modes are not held', async () => {
  const others = [newContext(), fresh({ mode: 'TEST' })];
  await givenProvider(ctx, api);
  for (const each of [ctx, ...others]) await givenMessages(each, { source });
  await hold(others[0]!);
  await hold(others[1]!);
  await hold(fresh(), givenSource().id);
  await sendAll(workers[0]!);
  expect(await statuses()).toEqual([['SENT', null]]);
  expect(await Promise.all(others.map(statuses))).toEqual([[['QUEUED', 'PAUSED']], [['QUEUED', 'PAUSED']]]);
});

test('opens, clicks and unsubscriptions count for source, node and variant, and stay when the log forgets', async () => {
  await givenProvider(ctx, api);
  const [a, b] = ['a', 'b'].map((variant) => ({ ...source, nodeId: 'mail', variant }));
  const html = '<p><a href="https://shop.example/sale?x=1">Sale</a></p>';
  const memberIds = await givenRecipients(ctx, 5);
  await givenMessages(ctx, { category: 'MARKETING', html, memberIds: memberIds.slice(0, 3), source: a! });
  await givenMessages(ctx, { category: 'MARKETING', html, memberIds: memberIds.slice(3), source: b! });
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    memberIds[2],
  ]);
  await sendAll(workers[0]!);
  const messages = await messagesOf(ctx);
  const at = services.clock.now();
  const record = (place: number, kind: 'OPENED' | 'CLICKED') => {
    const of = kind === 'CLICKED' && { url: 'https://shop.example/sale?x=1' };
    return recordMessageEvent(fresh(), { messageId: messages[place]!.id, kind, occurredAt: at, ...of });
  };
  for (const kind of ['OPENED', 'OPENED', 'CLICKED', 'CLICKED'] as const) await record(0, kind);
  await record(1, 'OPENED');
  await record(3, 'CLICKED');
  const toFirst = api.mails.find(({ key }) => key === messages[0]!.id)!;
  const [, token] = /\/u\/([\w-]+)/.exec(toFirst.headers['List-Unsubscribe']!)!;
  for (let each = 0; each < 2; each += 1) await unsubscribeByToken(newContext(), token!);
  const none = { sourceId: source.id, nodeId: 'mail', reason: '', opened: 0, clicked: 0, unsubscribed: 0 };
  const expected = [
    { ...none, variant: 'a', status: 'SENT', count: 2, opened: 2, clicked: 1, unsubscribed: 1 },
    { ...none, variant: 'a', status: 'SKIPPED', reason: 'MEMBER_RESTRICTED', count: 1 },
    { ...none, variant: 'b', status: 'SENT', count: 2, clicked: 1 },
  ];
  expect(await messageCounts(fresh(), [source.id])).toEqual(expected);
  expect(await linksOfSource(fresh(), source.id)).toEqual([
    { url: 'https://shop.example/sale', clicks: 3, messages: 2 },
  ]);
  services.clock.advance(DAY_MS * (services.config.MESSAGE_LOG_DAYS + 2));
  await givenMessages(ctx, { category: 'MARKETING', html, count: 1, source: b! });
  await sendAll(workers[0]!);
  const prune = () => pruneEngagementJob.run(contextOf(services, systemCaller('prune')), {});
  await prune();
  await prune();
  expect(await messagesOf(ctx)).toHaveLength(1);
  const later = expected.map((row) => (row.variant === 'b' ? { ...row, count: 3 } : row));
  expect(await messageCounts(fresh(), [source.id])).toEqual(later);
  services.clock.advance(DAY_MS * (services.config.MESSAGE_LOG_DAYS + 2));
  await prune();
  expect(await messagesOf(ctx)).toEqual([]);
  expect(await messageCounts(fresh(), [source.id])).toEqual(later);
  expect(await messageCounts(newContext(), [source.id])).toEqual([]);
});

test('what still waits when the log forgets it counts as expired', async () => {
  await givenMessages(ctx, { count: 2, source });
  await hold();
  services.clock.advance(DAY_MS * (services.config.MESSAGE_LOG_DAYS + 1));
  await pruneEngagementJob.run(contextOf(services, systemCaller('prune')), {});
  expect(await counted()).toEqual([['SKIPPED', 'EXPIRED', 2]]);
});

test('who watches a source is notified when its messages move', async () => {
  await givenProvider(ctx, api);
  let moved = 0;
  const stop = services.live.subscribe(sourceChannel(ctx.scope, source.id), () => {
    moved += 1;
  });
  await services.live.ready();
  const moves = async (act: () => Promise<unknown>) => {
    const before = moved;
    await act();
    await eventually(() => expect(moved).toBeGreaterThan(before));
    // Waits for the end of the interval in which notifications are throttled.
    await delay(300);
  };
  await moves(() => givenMessages(ctx, { source }));
  await moves(() => hold());
  await moves(() => release());
  await moves(() => sendAll(workers[0]!));
  const messageId = (await messagesOf(ctx))[0]!.id;
  await moves(() =>
    recordMessageEvent(fresh(), { messageId, kind: 'OPENED', occurredAt: services.clock.now() }),
  );
  stop();
});
