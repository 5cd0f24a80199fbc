import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context, Services } from '@loyalty/platform/context';
import { askOf, entities } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { emailEngagement } from '../member-data/member-data.service.ts';
import { givenMessages, givenRecipients, messagesOf } from '../sending/sending.fixture.ts';
import { engagement } from '../subgraph.ts';
import { findByProviderMessage, recordMessageEvent } from './message-events.service.ts';
import { givenProvider, type MailApi, reaching, sendAll, startMailApi } from './messages.fixture.ts';
import { eraseMessages } from './messages.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

let api: MailApi;
let worker: Services;

beforeAll(async () => {
  api = await startMailApi();
  worker = reaching(services, [api.host]);
});
afterAll(async () => {
  await Promise.all([api.close(), worker.http.close()]);
});

const LIST = `query ($memberId: ID, $status: MessageStatus, $category: MessageCategory, $templateId: ID,
  $createdFrom: DateTime, $createdUntil: DateTime, $first: Int, $after: String) {
  messages(memberId: $memberId, status: $status, category: $category, templateId: $templateId, first: $first,
    after: $after, createdFrom: $createdFrom, createdUntil: $createdUntil) {
    nodes { id recipient member { id } status template { id } attempts { number outcome providerKind } }
    totalCount pageInfo { hasNextPage endCursor } } }`;
const list = async (on: Context, filter = {}) => (await ask(on, LIST, filter)).data.messages;

const ONE = `query ($id: ID!) { message(id: $id) { id recipient status reason opens clicks deliveredAt
  rendered { subject html text } events { kind url } attempts { outcome responseStatus } } }`;
const one = async (on: Context, id: string) => (await ask(on, ONE, { id })).data.message;

async function sent(on: Context, options: Parameters<typeof givenMessages>[1] = {}) {
  await givenProvider(on, api);
  const memberIds = await givenMessages(on, options);
  await sendAll(worker);
  return { memberIds, messages: await messagesOf(on) };
}

test('the log is newest first, masked, and shows only what was asked for', async () => {
  const { memberIds, messages } = await sent(ctx, { count: 3 });
  services.clock.advance(1_000);
  const later = services.clock.now().toISOString();
  const marketing = await sent(ctx, { category: 'MARKETING', memberIds: [memberIds[0]!] });
  const ids = marketing.messages.map(({ id }) => id);
  const all = await list(fresh());
  expect(all.nodes.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
  expect(all.nodes[0]).toMatchObject({
    recipient: expect.stringMatching(/^m\*\*\*@e\*\*\*\.com$/),
    member: { id: memberIds[0] },
    attempts: [{ number: 1, outcome: 'ACCEPTED', providerKind: 'RESEND' }],
  });
  const idsOf = async (filter: object) =>
    (await list(fresh(), filter)).nodes.map(({ id }: { id: string }) => id).sort();
  expect(await idsOf({ category: 'MARKETING' })).toEqual([ids[3]]);
  expect(await idsOf({ memberId: memberIds[0] })).toEqual([ids[0], ids[3]]);
  expect(await idsOf({ templateId: all.nodes[0].template.id })).toEqual([ids[3]]);
  expect(await idsOf({ createdFrom: later })).toEqual([ids[3]]);
  expect(await idsOf({ createdUntil: later })).toEqual(messages.map(({ id }) => id));
  expect(await idsOf({ status: 'FAILED' })).toEqual([]);
  const page = await list(fresh(), { first: 3 });
  expect(page).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
  expect(await idsOf({ first: 3, after: page.pageInfo.endCursor })).toEqual([ids[0]]);
  for (const stranger of [newContext(), fresh({ mode: 'TEST' })])
    expect((await list(stranger)).nodes).toEqual([]);
});

test('a message is found by the id that its provider gave it, in its own workspace only', async () => {
  const providerId = await givenProvider(ctx, api);
  await givenMessages(ctx);
  await sendAll(worker);
  const [{ id }] = (await messagesOf(ctx)) as unknown as [{ id: string }];
  expect(await findByProviderMessage(fresh(), providerId, `mail-${id}`)).toMatchObject({ id, mode: 'LIVE' });
  expect(await findByProviderMessage(fresh(), providerId, 'mail-other')).toBeNull();
  expect(await findByProviderMessage(newContext(), providerId, `mail-${id}`)).toBeNull();
});

test('one message shows its recipient and what it said; of another workspace there is none', async () => {
  const { messages } = await sent(ctx);
  const message = await one(fresh(), messages[0]!.id);
  expect(message).toMatchObject({
    recipient: expect.stringMatching(/^member-\d+@example\.com$/),
    status: 'SENT',
  });
  expect(message.rendered).toMatchObject({ subject: 'Order 1001', html: '<p>Hello Ada 1001</p>' });
  expect(await one(newContext(), messages[0]!.id)).toBeNull();
});

test('deliveries, bounces and complaints count once in any order, opens and clicks each time', async () => {
  const { messages } = await sent(ctx, { count: 3 });
  const [bounced, delivered, complained] = messages.map(({ id }) => id) as [string, string, string];
  const at = services.clock.now();
  const record = (messageId: string, ...kinds: Parameters<typeof recordMessageEvent>[1]['kind'][]) =>
    kinds.reduce(
      (before, kind) =>
        before.then(() =>
          recordMessageEvent(fresh(), {
            messageId,
            kind,
            occurredAt: at,
            url: 'https://shop.example/a?x=1#y',
          }),
        ),
      Promise.resolve(),
    );
  await record(bounced, 'BOUNCED', 'DELIVERED', 'BOUNCED');
  await Promise.all(Array.from({ length: 5 }, () => record(delivered, 'DELIVERED', 'OPENED', 'CLICKED')));
  await record(complained, 'DELIVERED', 'BOUNCED', 'COMPLAINED', 'BOUNCED', 'UNSUBSCRIBED', 'UNSUBSCRIBED');
  const kinds = (message: { events: { kind: string }[] }) => message.events.map(({ kind }) => kind).sort();
  const first = await one(fresh(), bounced);
  expect(first).toMatchObject({ status: 'BOUNCED', deliveredAt: null });
  expect(kinds(first)).toEqual(['BOUNCED']);
  const second = await one(fresh(), delivered);
  expect(second).toMatchObject({ status: 'DELIVERED', opens: 5, clicks: 5, deliveredAt: at.toISOString() });
  expect(kinds(second).filter((kind) => kind === 'DELIVERED')).toHaveLength(1);
  expect(second.events[0].url).toBe('https://shop.example/a');
  const third = await one(fresh(), complained);
  expect(third).toMatchObject({ status: 'COMPLAINED' });
  expect(kinds(third)).toEqual(['BOUNCED', 'COMPLAINED', 'DELIVERED', 'UNSUBSCRIBED']);
  await recordMessageEvent(newContext(), { messageId: delivered, kind: 'OPENED', occurredAt: at });
  expect(await one(fresh(), delivered)).toMatchObject({ opens: 5 });
});

test('the figures of a member are those of the log, in one statement for a page of members', async () => {
  const { memberIds, messages } = await sent(ctx, { count: 3 });
  const at = services.clock.now();
  await recordMessageEvent(fresh(), { messageId: messages[0]!.id, kind: 'OPENED', occurredAt: at });
  await recordMessageEvent(fresh(), { messageId: messages[0]!.id, kind: 'CLICKED', occurredAt: at });
  services.statements.length = 0;
  const together = fresh();
  const figures = await Promise.all(memberIds.map((id) => emailEngagement(together, id)));
  expect(services.statements).toHaveLength(1);
  expect(figures).toEqual([
    { sent: 1, opened: 1, clicked: 1, lastClickAt: at },
    { sent: 1, opened: 0, clicked: 0, lastClickAt: null },
    { sent: 1, opened: 0, clicked: 0, lastClickAt: null },
  ]);
});

test('nothing of an erased member can be read or sent any more', async () => {
  const { memberIds, messages } = await sent(ctx);
  const [memberId] = memberIds as [string];
  const at = services.clock.now();
  await recordMessageEvent(fresh(), {
    messageId: messages[0]!.id,
    kind: 'CLICKED',
    url: 'https://a.example/',
    occurredAt: at,
  });
  await givenMessages(ctx, { memberIds });
  await eraseMessages(fresh(), memberId);
  await eraseMessages(fresh(), memberId);
  const before = api.mails.length;
  await sendAll(worker);
  expect(api.mails).toHaveLength(before);
  const [old, waiting] = await messagesOf(ctx);
  expect(await one(fresh(), old!.id)).toMatchObject({
    status: 'SENT',
    recipient: null,
    rendered: null,
    events: [{ kind: 'CLICKED', url: null }],
  });
  expect(await one(fresh(), waiting!.id)).toMatchObject({ status: 'SKIPPED', reason: 'MEMBER_ERASED' });
});

test('messages of many members are read together, and an export has them without what they said', async () => {
  const memberIds = await givenRecipients(ctx, 3);
  await sent(ctx, { memberIds });
  const references = memberIds.map((id) => ({ __typename: 'Member', id }));
  const document = entities('... on Member { id messages(first: 5) { nodes { id status } totalCount } }');
  services.statements.length = 0;
  const { data } = await ask(fresh(), document, { references });
  expect(data._entities).toHaveLength(3);
  for (const member of data._entities)
    expect(member.messages).toMatchObject({ nodes: [{ status: 'SENT' }], totalCount: 1 });
  expect(services.statements.length).toBeLessThanOrEqual(2);
  const exported = await ask(
    fresh({ kind: 'SYSTEM' }),
    'query ($memberId: ID!) { _memberData(memberId: $memberId) }',
    { memberId: memberIds[0] },
  );
  const [message] = exported.data._memberData.messages;
  expect(message).toMatchObject({ category: 'TRANSACTIONAL', status: 'SENT', template: expect.any(String) });
  expect(Object.keys(message).sort()).toEqual(['category', 'createdAt', 'sentAt', 'status', 'template']);
});

test('the messages of a member are read by their index', async () => {
  const { memberIds } = await sent(ctx, { count: 1 });
  services.statements.length = 0;
  await list(fresh(), { memberId: memberIds[0] });
  const text = services.statements.find((statement) => statement.includes('m.member_id = $3::uuid'))!;
  const plan = await services.database.transaction(async ({ sql }) => {
    await sql.query('SET LOCAL enable_seqscan = off');
    await sql.query('SET LOCAL enable_sort = off');
    return sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [
      ctx.scope.workspaceId,
      ctx.scope.mode,
      memberIds[0],
    ]);
  });
  expect(JSON.stringify(plan)).toContain('messages_workspace_id_mode_member_id_id_idx');
});
