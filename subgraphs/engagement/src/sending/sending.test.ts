import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemCaller } from '@loyalty/platform/base/caller';
import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import type { Services } from '@loyalty/platform/context';
import { eventually } from '@loyalty/test/harness/eventually';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import {
  givenProvider,
  type MailApi,
  reaching,
  sendAll,
  startMailApi,
} from '../messages/messages.fixture.ts';
import { givenLostAttempt, givenMessages, givenRecipients, messagesOf } from './sending.fixture.ts';
import { sendMessagesLoop } from './sending.jobs.ts';

const { services, ctx, newContext, beforeClose } = useServices();

let api: MailApi;
let other: MailApi;
let worker: Services;

beforeAll(async () => {
  [api, other] = await Promise.all([startMailApi(), startMailApi()]);
  worker = reaching(services, [api.host, other.host]);
  beforeClose(async () => {
    await Promise.all([api.close(), other.close(), worker.http.close()]);
  });
});

beforeEach(() => {
  for (const each of [api, other]) {
    each.mails.length = 0;
    each.answerWith(() => 200);
  }
});

/** Services whose mail server (the last provider) answers as given. */
const withServer = (send: Services['mailer']['send']): Services => ({
  ...worker,
  config: { ...worker.config, MAIL_URL: 'smtp://mail.example.com' },
  mailer: { send, close: async () => {} },
});

test('a message is rendered, sent once, and its attempt is in the log', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx);
  await sendAll(worker);
  await sendAll(worker);
  const [message] = await messagesOf(ctx);
  expect(message).toMatchObject({ status: 'SENT', dueAt: null, reason: null, attempts: ['ACCEPTED'] });
  expect(api.mails).toHaveLength(1);
  expect(api.mails[0]).toMatchObject({ key: message!.id, subject: 'Order 1001' });
  expect(api.mails[0]!.html).toContain('Hello Ada 1001');
});

test('two workers that send at once send each message once', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { count: 30 });
  const second = reaching(services, [api.host]);
  await Promise.all([sendAll(worker), sendAll(second)]);
  await second.http.close();
  expect(api.mails).toHaveLength(30);
  expect(new Set(api.mails.map(({ key }) => key)).size).toBe(30);
  expect((await messagesOf(ctx)).every(({ status }) => status === 'SENT')).toBe(true);
});

test('thirty messages take as many statements to prepare and to write as ten', async () => {
  await givenProvider(ctx, api);
  const counted: number[] = [];
  // The first messages also create the keys of the workspace.
  for (const count of [1, 10, 30]) {
    await givenMessages(ctx, { count });
    services.statements.length = 0;
    await sendAll(worker);
    // The number of claims, and of outcomes that are written together, depends on time.
    const byTime = /^(BEGIN|COMMIT)|WITH RECURSIVE queues| ended AS \(/;
    counted.push(services.statements.filter((text) => !byTime.test(text)).length);
  }
  expect(counted[2]).toBe(counted[1]);
});

test('while no provider answers it is tried again, later each time, and given up after the eighth round', async () => {
  await givenProvider(ctx, api);
  api.answerWith(() => 503);
  await givenMessages(ctx);
  const away = withServer(() => Promise.reject(unavailable()));
  for (let round = 1; round <= 7; round += 1) {
    await sendAll(away);
    const [message] = await messagesOf(ctx);
    expect(message).toMatchObject({ status: 'QUEUED', rounds: round, reason: 'PROVIDERS_UNAVAILABLE' });
    const waitMs = message!.dueAt!.getTime() - services.clock.now().getTime();
    expect(waitMs).toBeLessThanOrEqual(30_000 * 4 ** (round - 1));
    services.clock.set(message!.dueAt!);
  }
  await sendAll(away);
  const [message] = await messagesOf(ctx);
  expect(message).toMatchObject({ status: 'FAILED', reason: 'PROVIDERS_UNAVAILABLE', dueAt: null });
  expect(message!.attempts).toHaveLength(16);
});

const unavailable = () => Object.assign(new Error('busy'), { code: 'MAIL_UNAVAILABLE' });

test('a message that every provider refuses has failed', async () => {
  await givenProvider(ctx, api);
  api.answerWith(() => 422);
  const rejected = Object.assign(new Error('no'), { code: 'MAIL_REJECTED' });
  await givenMessages(ctx);
  await sendAll(withServer(() => Promise.reject(rejected)));
  expect(await messagesOf(ctx)).toMatchObject([
    { status: 'FAILED', reason: 'REJECTED', attempts: ['REJECTED', 'REJECTED'] },
  ]);
});

test('the next provider takes what the first one cannot', async () => {
  await givenProvider(ctx, api);
  await givenProvider(ctx, other);
  api.answerWith(() => 503);
  await givenMessages(ctx);
  await sendAll(worker);
  expect(await messagesOf(ctx)).toMatchObject([{ status: 'SENT', attempts: ['UNAVAILABLE', 'ACCEPTED'] }]);
  expect(other.mails).toHaveLength(1);
});

test('a message that cannot be rendered has failed, and says where', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { html: '<p>{{ data.missing }}</p>' });
  await sendAll(worker);
  const [message] = await messagesOf(ctx);
  expect(message).toMatchObject({ status: 'FAILED', reason: 'RENDER_FAILED', attempts: [] });
  expect(message!.detail).toMatch(/data\.missing.*line 1, column \d+/);
  expect(api.mails).toEqual([]);
});

test('in test mode nobody is contacted', async () => {
  const sandbox = newContext({ mode: 'TEST' });
  await givenProvider(sandbox, api);
  await givenMessages(sandbox);
  await sendAll(worker);
  expect(await messagesOf(sandbox)).toMatchObject([{ status: 'SIMULATED', attempts: [] }]);
  expect(api.mails).toEqual([]);
});

test('a provider that does not answer delays only its own workspace', async () => {
  const slow = newContext();
  await givenProvider(slow, other);
  await givenProvider(ctx, api);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  other.answerWith(() => held.then(() => 200));
  await givenMessages(slow, { count: 5 });
  const loop = contextOf(worker, systemCaller('test'));
  await sendMessagesLoop.turn(loop);
  await eventually(() => expect(other.mails).toHaveLength(5));
  await givenMessages(ctx, { count: 5 });
  await sendMessagesLoop.turn(loop);
  await eventually(async () =>
    expect((await messagesOf(ctx)).filter(({ status }) => status === 'SENT')).toHaveLength(5),
  );
  expect((await messagesOf(slow)).every(({ status }) => status === 'QUEUED')).toBe(true);
  release();
  await sendMessagesLoop.drain!(loop);
  expect((await messagesOf(slow)).every(({ status }) => status === 'SENT')).toBe(true);
});

test('a worker whose claim was taken over writes nothing more, and sends nothing', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  api.answerWith(() => held.then(() => 503));
  const loop = contextOf(worker, systemCaller('test'));
  await sendMessagesLoop.turn(loop);
  await eventually(() => expect(api.mails).toHaveLength(1));
  await ctx.sql.query('UPDATE engagement.messages SET claim = claim + 1 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  release();
  await sendMessagesLoop.drain!(loop);
  expect(await messagesOf(ctx)).toMatchObject([
    { status: 'QUEUED', attempts: ['UNAVAILABLE'], reason: null },
  ]);
});

test('another subgraph that is away delays messages, and is no attempt', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { count: 2 });
  const peers = { ask: () => Promise.reject(new Error('away')), close: async () => {} };
  await sendAll({ ...worker, peers });
  expect(await messagesOf(ctx)).toMatchObject([{ status: 'QUEUED', attempts: [], rounds: 0 }, {}]);
  services.clock.advance(MINUTE_MS);
  await sendAll(worker);
  expect(api.mails).toHaveLength(2);
});

test('after a crash the same provider gets the message again, where it sends once', async () => {
  await givenProvider(ctx, other);
  const id = await givenProvider(ctx, api);
  await givenMessages(ctx);
  const messageId = (await messagesOf(ctx))[0]!.id;
  other.answerWith(() => 503);
  await givenLostAttempt(ctx, messageId, { id, kind: 'RESEND' });
  await sendAll(worker);
  expect(await messagesOf(ctx)).toMatchObject([
    { status: 'SENT', reason: null, attempts: ['UNKNOWN', 'UNAVAILABLE', 'ACCEPTED'] },
  ]);
  expect(api.mails.map(({ key }) => key)).toEqual([messageId]);
});

test('after a crash any other provider gets it once more, and the log says that it may have been sent twice', async () => {
  const id = await givenProvider(ctx, api, 'CUSTOM_REST');
  await givenMessages(ctx, { count: 2 });
  const [sent, givenUp] = await messagesOf(ctx);
  await givenLostAttempt(ctx, sent!.id, { id, kind: 'CUSTOM_REST' });
  await givenLostAttempt(ctx, givenUp!.id, { id, kind: 'CUSTOM_REST' });
  await givenLostAttempt(ctx, givenUp!.id, { id, kind: 'CUSTOM_REST' });
  await sendAll(worker);
  expect(await messagesOf(ctx)).toMatchObject([
    { status: 'SENT', reason: 'POSSIBLY_SENT_TWICE', attempts: ['UNKNOWN', 'ACCEPTED'] },
    { status: 'FAILED', reason: 'OUTCOME_UNKNOWN', attempts: ['UNKNOWN', 'UNKNOWN'] },
  ]);
  expect((await messagesOf(ctx))[0]!.errors[1]).toMatch(/may be sent twice.*attempt 1/);
  expect(api.mails).toHaveLength(1);
});

test('a third attempt without an outcome ends the message', async () => {
  const id = await givenProvider(ctx, api);
  await givenMessages(ctx);
  const [message] = await messagesOf(ctx);
  for (let lost = 0; lost < 3; lost += 1) await givenLostAttempt(ctx, message!.id, { id, kind: 'RESEND' });
  await sendAll(worker);
  expect(await messagesOf(ctx)).toMatchObject([{ status: 'FAILED', reason: 'OUTCOME_UNKNOWN' }]);
  expect(api.mails).toEqual([]);
});

test('what a worker had taken is taken again once its lease is over', async () => {
  await givenProvider(ctx, api);
  await givenMessages(ctx, { memberIds: await givenRecipients(ctx, 1) });
  await ctx.sql.query('UPDATE engagement.messages SET due_at = $2, claim = 1 WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
    new Date(services.clock.now().getTime() + 2 * MINUTE_MS),
  ]);
  await sendAll(worker);
  expect(api.mails).toEqual([]);
  services.clock.advance(HOUR_MS);
  await sendAll(worker);
  const [message] = await messagesOf(ctx);
  expect(api.mails.filter(({ key }) => key === message!.id)).toHaveLength(1);
});
