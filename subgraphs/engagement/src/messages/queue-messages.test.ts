import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { enrolMember } from '../members.fixture.ts';
import { givenSource, messagesOf } from '../sending/sending.fixture.ts';
import { engagement } from '../subgraph.ts';
import { givenTemplate } from './messages.fixture.ts';
import { type QueueMessages, queueMessages } from './queue-messages.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const recipientsOf = (count: number) =>
  Array.from({ length: count }, () => ({ memberId: randomUUID(), key: `campaign:${randomUUID()}` }));

const wanted = (given: Partial<QueueMessages>): QueueMessages => ({
  channel: 'EMAIL',
  category: 'MARKETING',
  inline: { subject: 'News', html: '<p>News {{ data.code }}</p>' },
  source: givenSource(),
  recipients: recipientsOf(1),
  data: { code: 'A' },
  ...given,
});

test('messages are queued with the transaction of the caller, or not at all', async () => {
  const failing = ctx.transaction(async (tx) => {
    await queueMessages(tx, wanted({ recipients: recipientsOf(3) }));
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await messagesOf(ctx)).toEqual([]);
});

test('a key is queued once, whoever asks again and at the same time', async () => {
  const recipients = recipientsOf(20);
  const again = { ...recipients[0]!, memberId: randomUUID() };
  const results = await Promise.all(
    [recipients, recipients, [again, ...recipients]].map((each) =>
      queueMessages(fresh(), wanted({ recipients: each })),
    ),
  );
  expect(results.reduce((sum, queued) => sum + queued, 0)).toBe(20);
  expect(await messagesOf(ctx)).toHaveLength(20);
  expect(await queueMessages(newContext(), wanted({ recipients }))).toBe(20);
});

test('the key of an integration is never that of a campaign', async () => {
  const { id: memberId } = await enrolMember(ctx);
  const key = `campaign:${randomUUID()}:${memberId}`;
  const SEND = `mutation ($input: SendTransactionalInput!) { sendTransactional(input: $input) { id reused } }`;
  const input = { memberId, subject: 'Hi', html: '<p>Hi</p>', idempotencyKey: key };
  const sent = await ask(fresh(), SEND, { input });
  expect(sent.data.sendTransactional.reused).toBe(false);
  expect(await queueMessages(fresh(), wanted({ recipients: [{ memberId, key }] }))).toBe(1);
  const repeated = await ask(fresh(), SEND, { input: { ...input, idempotencyKey: ` ${key}` } });
  expect(repeated.data.sendTransactional).toEqual({ ...sent.data.sendTransactional, reused: true });
});

test('two thousand recipients take two statements more than one, and their content is kept once', async () => {
  const inline = { subject: 'News', html: `<p>${'news '.repeat(1_000)}</p>` };
  const inserts = async (count: number) => {
    services.statements.length = 0;
    await queueMessages(fresh(), wanted({ inline, recipients: recipientsOf(count) }));
    return services.statements.filter((text) => text.includes('INSERT INTO engagement.messages')).length;
  };
  expect([await inserts(1), await inserts(2_000)]).toEqual([1, 2]);
  const contents = await ctx.sql.query('SELECT 1 FROM engagement.message_contents WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(contents).toHaveLength(1);
});

test('a marketing template makes a message marketing; the version that was asked for is sent', async () => {
  const templateId = await givenTemplate(ctx, { category: 'MARKETING' });
  await queueMessages(fresh(), wanted({ category: 'TRANSACTIONAL', inline: undefined, templateId }));
  const LIST =
    '{ messages { nodes { category templateVersion source { kind id nodeId variant } channel } } }';
  const { data } = await ask(fresh(), LIST);
  expect(data.messages.nodes).toMatchObject([
    {
      category: 'MARKETING',
      templateVersion: 1,
      channel: 'EMAIL',
      source: { kind: 'CAMPAIGN', nodeId: null },
    },
  ]);
});

test.each([
  [{ inline: undefined }, 'VALIDATION_FAILED', /^templateId /],
  [{ inline: { subject: '', html: '<p>x</p>' } }, 'VALIDATION_FAILED', /^input.subject /],
  [{ inline: undefined, templateId: randomUUID() }, 'TEMPLATE_NOT_FOUND', /template/],
  [{ channel: 'WEB_PUSH' }, 'VALIDATION_FAILED', /^notification /],
  [{ channel: 'WEB_PUSH', notification: { title: ' ' } }, 'VALIDATION_FAILED', /^notification.title /],
  [{ channel: 'WEB_PUSH', notification: { title: '{{ a' } }, 'TEMPLATE_INVALID', /^notification.title /],
  [
    { channel: 'WEB_PUSH', notification: { title: 'a', url: 'ftp://a' } },
    'VALIDATION_FAILED',
    /^notification.url /,
  ],
] as const)('what cannot be sent is refused, and nothing is queued: %j', async (given, code, message) => {
  await expect(queueMessages(fresh(), wanted(given))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  expect(await messagesOf(ctx)).toEqual([]);
});
