import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Context, Services } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { updateMessageSettings } from '../limits/message-settings.service.ts';
import { recordLinkVisits } from '../links/links.service.ts';
import { reaching, sendAll } from '../messages/messages.fixture.ts';
import { holdMessages, messageCounts, releaseMessages } from '../messages/source-messages.service.ts';
import { sendPushJob } from '../push/push.jobs.ts';
import { newBrowser, startPushService } from '../push/push-service.fixture.ts';
import { eraseMemberBrowsers, subscribe } from '../push/push-subscriptions.service.ts';
import { engagement } from '../subgraph.ts';
import { givenMessages, givenRecipients, givenSource, messagesOf } from './sending.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

let service: Awaited<ReturnType<typeof startPushService>>;
let worker: Services;

beforeAll(async () => {
  service = await startPushService();
  worker = reaching(services, [service.host]);
});
afterAll(async () => {
  await Promise.all([service.close(), worker.http.close()]);
});
beforeEach(async () => {
  service.pushes.length = 0;
  await setModule(true);
});

async function setModule(isOn: boolean, on: Context = ctx): Promise<void> {
  const { workspaceId } = on.scope;
  await on.sql.query(
    `INSERT INTO workspace.workspaces (id, name, time_zone, created_at) VALUES ($1, 'Shop', 'UTC', now())
     ON CONFLICT (id) DO NOTHING`,
    [workspaceId],
  );
  await on.sql.query(
    `INSERT INTO workspace.module_switches (workspace_id, key, is_enabled, changed_at)
     VALUES ($1, 'web_push', $2, now()) ON CONFLICT (workspace_id, key) DO UPDATE SET is_enabled = $2`,
    [workspaceId, isOn],
  );
}

let browsers = 0;

/** Subscribes a browser of a member; returns it with its path at the push service. */
async function browserOf(memberId: string, on: Context = ctx) {
  browsers += 1;
  const path = `/b${browsers}`;
  const browser = newBrowser();
  const member = { ...on.caller, kind: 'MEMBER', actor: `member:${memberId}`, role: null } as const;
  await subscribe(contextOf(worker, member), { endpoint: `${service.url}${path}`, keys: browser.keys });
  return { path, ...browser };
}

/** Sends the batches, as the relay and a worker do. */
async function deliver(): Promise<void> {
  const batches = await ctx.sql.query<{ id: string }>(
    'SELECT id FROM engagement.push_batches WHERE workspace_id = $1 ORDER BY id',
    [ctx.scope.workspaceId],
  );
  for (const { id } of batches) await sendPushJob.run(contextOf(worker, ctx.caller), { pushBatchId: id });
}

const notification = {
  title: 'Hello {{ first_name }}',
  body: 'Order {{ data.order_number }}',
  url: 'https://shop.example/orders/{{ data.order_number }}?ref=push',
};
const statuses = async (on: Context = ctx) =>
  (await messagesOf(on)).map(({ status, reason }) => [status, reason]);

test('a notification is filled in for its member and reaches each of its browsers once', async () => {
  await updateMessageSettings(ctx, { isClickTracked: false });
  const [ada, bo] = (await givenRecipients(ctx, 2)) as [string, string];
  const [first, second, other] = [await browserOf(ada), await browserOf(ada), await browserOf(bo)];
  await givenMessages(ctx, { memberIds: [ada, bo], notification });
  await sendAll(worker);
  await sendAll(worker);
  expect(service.pushes).toEqual([]);
  await deliver();
  await deliver();
  expect(service.pushes).toHaveLength(3);
  for (const { path, read } of [first, second, other])
    expect(read(service.pushes.find((push) => push.path === path)!.body)).toMatchObject({
      title: 'Hello Ada',
      body: 'Order 1001',
      url: 'https://shop.example/orders/1001?ref=push',
    });
  expect(await statuses()).toEqual([
    ['SENT', null],
    ['SENT', null],
  ]);
});

test('a click on it counts for its source, and it has no opens', async () => {
  const source = givenSource();
  const memberIds = await givenRecipients(ctx, 1);
  const browser = await browserOf(memberIds[0]!);
  await givenMessages(ctx, { memberIds, notification, source });
  await sendAll(worker);
  await deliver();
  const { url } = browser.read(service.pushes[0]!.body) as { url: string };
  await recordLinkVisits(newContext(), [url.split('/c/')[1]!]);
  expect(await messageCounts(fresh(), [source.id])).toMatchObject([
    { status: 'SENT', count: 1, opened: 0, clicked: 1 },
  ]);
});

test('members get notifications of their own in one batch', async () => {
  const memberIds = await givenRecipients(ctx, 60);
  for (const memberId of memberIds) await browserOf(memberId);
  await givenMessages(ctx, { memberIds, notification });
  await sendAll(worker);
  const batches = await ctx.sql.query('SELECT 1 FROM engagement.push_batches WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(batches).toHaveLength(1);
  await deliver();
  expect(new Set(service.pushes.map(({ path }) => path)).size).toBe(60);
});

test('two messages to one browser both reach it', async () => {
  const memberIds = await givenRecipients(ctx, 1);
  await browserOf(memberIds[0]!);
  for (let each = 0; each < 2; each += 1) await givenMessages(ctx, { memberIds, notification });
  await sendAll(worker);
  await deliver();
  expect(service.pushes).toHaveLength(2);
});

test('each member who gets none has its reason', async () => {
  const ids = (await givenRecipients(ctx, 6)) as [string, string, string, string, string, string];
  const [, restricted, closed, unsubscribed, gone, fine] = ids;
  for (const id of ids.slice(1)) await browserOf(id);
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    restricted,
  ]);
  const become = (id: string, status: string) =>
    ctx.sql.query(
      `UPDATE loyalty.members SET status = $3::loyalty."MemberStatus" WHERE workspace_id = $1 AND id = $2`,
      [ctx.scope.workspaceId, id, status],
    );
  await become(closed, 'DEACTIVATION_PENDING');
  await become(unsubscribed, 'UNSUBSCRIBED');
  await eraseMemberBrowsers(fresh(), gone);
  await givenMessages(ctx, { category: 'MARKETING', memberIds: ids, notification });
  await givenMessages(ctx, { category: 'TRANSACTIONAL', memberIds: [unsubscribed, fine], notification });
  await sendAll(worker);
  expect(await statuses()).toEqual([
    ['SKIPPED', 'NO_BROWSER'],
    ['SKIPPED', 'MEMBER_RESTRICTED'],
    ['SKIPPED', 'MEMBER_CLOSED'],
    ['SKIPPED', 'MEMBER_UNSUBSCRIBED'],
    ['SKIPPED', 'NO_BROWSER'],
    ['SENT', null],
    ['SENT', null],
    ['SENT', null],
  ]);
});

test('nothing is sent while the module is off, nor in test mode', async () => {
  const memberIds = await givenRecipients(ctx, 1);
  await browserOf(memberIds[0]!);
  await setModule(false);
  await givenMessages(ctx, { memberIds, notification });
  const sandbox = newContext({ mode: 'TEST' });
  await setModule(true, sandbox);
  const tested = await givenRecipients(sandbox, 1);
  await browserOf(tested[0]!, sandbox);
  await givenMessages(sandbox, { memberIds: tested, notification });
  await sendAll(worker);
  await deliver();
  expect([await statuses(), await statuses(sandbox)]).toEqual([
    [['SKIPPED', 'MODULE_DISABLED']],
    [['SIMULATED', null]],
  ]);
  expect(service.pushes).toEqual([]);
});

test('mails and notifications count for one cap, and both wait for the end of quiet hours', async () => {
  services.clock.set('2026-06-01T21:30:00.000Z');
  await updateMessageSettings(ctx, { marketingPerDay: 1, quietFrom: '21:00', quietUntil: '08:00' });
  const memberIds = await givenRecipients(ctx, 1);
  await browserOf(memberIds[0]!);
  for (let each = 0; each < 2; each += 1)
    await givenMessages(ctx, { category: 'MARKETING', memberIds, notification });
  await sendAll(worker);
  expect(await statuses()).toEqual([
    ['QUEUED', 'QUIET_HOURS'],
    ['QUEUED', 'QUIET_HOURS'],
  ]);
  services.clock.set('2026-06-02T08:00:00.000Z');
  await sendAll(worker);
  await givenMessages(ctx, { category: 'MARKETING', memberIds });
  await sendAll(worker);
  expect(await statuses()).toEqual([
    ['SENT', null],
    ['SKIPPED', 'FREQUENCY_CAP'],
    ['SKIPPED', 'FREQUENCY_CAP'],
  ]);
});

test.each([
  [{ title: '{{ data.missing }}' }, 'RENDER_FAILED', /data\.missing.*title/],
  [{ title: 'Hi', url: '{{ data.order_number }}' }, 'NOTIFICATION_INVALID', /^url /],
  [{ title: '{% for i in (1..300) %}x{% endfor %}' }, 'NOTIFICATION_INVALID', /^title /],
])('what cannot be shown has failed, and says where: %j', async (bad, reason, detail) => {
  const memberIds = await givenRecipients(ctx, 1);
  await browserOf(memberIds[0]!);
  await givenMessages(ctx, { memberIds, notification: bad });
  await sendAll(worker);
  expect(await messagesOf(ctx)).toMatchObject([
    { status: 'FAILED', reason, detail: expect.stringMatching(detail) },
  ]);
});

test('notifications of a paused source are kept, and the log shows what they say', async () => {
  const source = givenSource();
  const memberIds = await givenRecipients(ctx, 1);
  await browserOf(memberIds[0]!);
  await givenMessages(ctx, { memberIds, notification, source });
  await fresh().transaction((tx) => holdMessages(tx, source.id));
  await sendAll(worker);
  expect(await statuses()).toEqual([['QUEUED', 'PAUSED']]);
  await fresh().transaction((tx) => releaseMessages(tx, source.id));
  await sendAll(worker);
  const LIST = `query ($sourceId: ID) { messages(channel: WEB_PUSH, sourceId: $sourceId) {
    nodes { channel status source { kind id } recipient rendered { subject html text } } } }`;
  const { data } = await ask(fresh(), LIST, { sourceId: source.id });
  expect(data.messages.nodes).toEqual([
    {
      channel: 'WEB_PUSH',
      status: 'SENT',
      source: { kind: 'CAMPAIGN', id: source.id },
      recipient: null,
      rendered: { subject: 'Hello Ada', html: '', text: 'Order 1001' },
    },
  ]);
  expect((await ask(fresh(), LIST, { sourceId: givenSource().id })).data.messages.nodes).toEqual([]);
});

test('every reason that the log can show has a sentence', async () => {
  const { data } = await ask(fresh(), '{ messageReasons { code statuses label } }');
  const codes = data.messageReasons.map(({ code }: { code: string }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  for (const reason of data.messageReasons) expect(reason.label).toMatch(/^[A-Z].*\.$/);
  const { description } = engagement.schema.getType('MessageReason')!;
  for (const code of codes) expect(description).toMatch(new RegExp(`\\b${code}\\b`));
});
