import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Services } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { isSendingStopped } from '../limits/limits.service.ts';
import { givenMessages, givenRecipients, givenSource, messagesOf } from '../sending/sending.fixture.ts';
import { sendMessagesLoop } from '../sending/sending.jobs.ts';
import { engagement } from '../subgraph.ts';
import { givenProvider, type MailApi, reaching, sendAll, startMailApi } from './messages.fixture.ts';
import { holdMessages, releaseMessages } from './source-messages.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

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

const SET = 'mutation ($stopped: Boolean!) { setSendingStopped(stopped: $stopped) { stoppedAt } }';
const set = async (stopped: boolean, on = fresh()) =>
  (await ask(on, SET, { stopped })).data.setSendingStopped.stoppedAt as string | null;
const SEND = 'mutation ($input: SendTransactionalInput!) { sendTransactional(input: $input) { id } }';
const receipt = async (memberId: string): Promise<string> => {
  const input = { memberId, subject: 'Receipt', html: '<p>Receipt</p>' };
  return (await ask(fresh(), SEND, { input })).data.sendTransactional.id;
};
const statuses = async () => (await messagesOf(ctx)).map(({ status, reason }) => [status, reason]);

test('marketing and all sources wait, receipts go on; afterwards each is sent once', async () => {
  await givenProvider(ctx, api);
  const [memberId] = (await givenRecipients(ctx, 1)) as [string];
  const at = await set(true);
  expect(at).toBe(services.clock.now().toISOString());
  expect(await isSendingStopped(fresh())).toBe(true);
  await givenMessages(ctx, { category: 'MARKETING', memberIds: [memberId] });
  await givenMessages(ctx, { category: 'TRANSACTIONAL', memberIds: [memberId] });
  const receiptId = await receipt(memberId);
  await Promise.all(workers.map(sendAll));
  expect(api.mails.map(({ key }) => key)).toEqual([receiptId]);
  expect((await messagesOf(ctx)).filter(({ status }) => status === 'QUEUED')).toHaveLength(2);
  services.clock.advance(MINUTE_MS);
  expect(await set(true)).toBe(at);
  expect(await set(false)).toBeNull();
  expect(await isSendingStopped(fresh())).toBe(false);
  await Promise.all(workers.map(sendAll));
  expect(new Set(api.mails.map(({ key }) => key)).size).toBe(3);
  expect(await statuses()).toEqual([
    ['SENT', null],
    ['SENT', null],
    ['SENT', null],
  ]);
});

test('under load, nothing leaves any more once the stop is answered; afterwards each is sent once', async () => {
  await givenProvider(ctx, api);
  const memberIds = await givenRecipients(ctx, 250);
  for (let each = 0; each < 3; each += 1) {
    await givenMessages(ctx, { category: 'MARKETING', memberIds });
    await givenMessages(ctx, { category: 'TRANSACTIONAL', memberIds });
  }
  api.answerWith(() => delay(100, 200));
  const sending: Promise<unknown> = Promise.all(workers.map(sendAll));
  await eventually(() => expect(api.mails.length).toBeGreaterThan(40));
  await set(true);
  const atStop = api.mails.length;
  await sending;
  await Promise.all(workers.map(sendAll));
  expect(api.mails).toHaveLength(atStop);
  expect(atStop).toBeLessThan(1_500);
  await set(false);
  await Promise.all(workers.map(sendAll));
  expect(api.mails).toHaveLength(1_500);
  expect(new Set(api.mails.map(({ key }) => key)).size).toBe(1_500);
  expect((await messagesOf(ctx)).every(({ status, reason }) => status === 'SENT' && !reason)).toBe(true);
});

test('what a provider has in hand when sending stops is waited for, and not sent again', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { category: 'MARKETING' });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  api.answerWith(() => held.then(() => 200));
  const loop = contextOf(workers[0]!, systemCaller('test'));
  await sendMessagesLoop.turn(loop);
  await eventually(() => expect(api.mails).toHaveLength(1));
  let isAnswered = false;
  const stopping = set(true).then(() => {
    isAnswered = true;
  });
  await eventually(async () => expect(await statuses()).toEqual([['QUEUED', 'SENDING_STOPPED']]));
  expect(isAnswered).toBe(false);
  await set(false);
  await sendAll(workers[1]!);
  expect(api.mails).toHaveLength(1);
  answer();
  await stopping;
  await sendMessagesLoop.drain!(loop);
  expect([await statuses(), api.mails.length]).toEqual([[['SENT', null]], 1]);
});

test('a paused campaign stays paused after a stop, and what was released meanwhile waits for its end', async () => {
  await givenProvider(ctx, api);
  const [one, two] = [givenSource(), givenSource()];
  for (const source of [one, two]) {
    await givenMessages(ctx, { source });
    await fresh().transaction((tx) => holdMessages(tx, source.id));
  }
  await set(true);
  await fresh().transaction((tx) => releaseMessages(tx, two.id));
  await sendAll(workers[0]!);
  expect(await statuses()).toEqual([
    ['QUEUED', 'PAUSED'],
    ['QUEUED', 'SENDING_STOPPED'],
  ]);
  await set(false);
  await sendAll(workers[0]!);
  expect(await statuses()).toEqual([
    ['QUEUED', 'PAUSED'],
    ['SENT', null],
  ]);
});

test('it is audited when it changes something, and other workspaces go on', async () => {
  const other = newContext();
  await givenProvider(other, api);
  await set(true);
  await set(true);
  await givenMessages(other, { category: 'MARKETING' });
  await sendAll(workers[0]!);
  expect(api.mails).toHaveLength(1);
  await set(false);
  const rows = await ctx.sql.query<{ action: string }>(
    `SELECT action FROM platform.audit_entries WHERE workspace_id = $1 AND action = 'setSendingStopped'`,
    [ctx.scope.workspaceId],
  );
  expect(rows).toHaveLength(2);
});

test('a workspace that never stopped anything may be let go on, by admins only', async () => {
  expect(await set(false)).toBeNull();
  expect((await ask(fresh({ role: 'MEMBER' }), SET, { stopped: true })).reason).toBe('ROLE_REQUIRED');
  expect(await isSendingStopped(fresh())).toBe(false);
});
