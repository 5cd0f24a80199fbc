import { expect, test } from '@jest/globals';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty, enrolMember } from '../members.fixture.ts';
import { engagement } from '../subgraph.ts';
import { unsubscribe } from '../suppressions/suppressions.service.ts';
import { givenTemplate } from './messages.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const SEND =
  'mutation ($input: SendTransactionalInput!) { sendTransactional(input: $input) { id status reused } }';
const send = async (on: Context, input: Record<string, unknown>) => ask(on, SEND, { input });
const inline = { subject: 'Hello', html: '<p>Hello</p>', to: 'ada@example.com' };

const messages = (on: Context) =>
  on.sql.query<{ status: string; reason: string | null; memberId: string | null; text: string }>(
    `SELECT status, reason, member_id, m::text AS text FROM engagement.messages AS m
      WHERE workspace_id = $1 AND mode = $2::platform."Mode"`,
    [on.scope.workspaceId, on.scope.mode],
  );

async function suppress(on: Context, address: string, reason: string): Promise<void> {
  const index = (await services.keyring.of(on.scope.workspaceId)).index(address, EMAIL_INDEX);
  await on.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5::engagement."SuppressionReason", $6)`,
    [newId(on.clock), on.scope.workspaceId, on.scope.mode, index, reason, on.clock.now()],
  );
}

test('twenty callers with one key make one message, and all get its id', async () => {
  const input = { ...inline, idempotencyKey: 'order-1' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(fresh(), input)));
  const sent = answers.map(({ data }) => data.sendTransactional);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(sent.filter(({ reused }) => !reused)).toHaveLength(1);
  expect(sent.every(({ status }) => status === 'QUEUED')).toBe(true);
  expect(await messages(ctx)).toHaveLength(1);
});

test('a key that was used for another message is refused, whatever is different', async () => {
  const input = { ...inline, idempotencyKey: 'order-1', data: { a: 1, b: 2 } };
  await send(ctx, input);
  const { data } = await send(ctx, { ...input, data: { b: 2, a: 1 } });
  expect(data.sendTransactional.reused).toBe(true);
  for (const other of [{ data: { a: 1, b: 3 } }, { subject: 'Bye' }, { to: 'bo@example.com' }])
    expect(await send(ctx, { ...input, ...other })).toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  expect((await send(newContext(), input)).data.sendTransactional.reused).toBe(false);
  expect((await send(fresh({ mode: 'TEST' }), input)).data.sendTransactional.reused).toBe(false);
});

test.each([
  [{}, 'input.to'],
  [{ ...inline, memberId: newId({ now: () => new Date() }) }, 'input.memberId'],
  [{ to: 'ada@example.com' }, 'input.templateId'],
  [{ to: 'ada@example.com', subject: 'x' }, 'input.html'],
  [{ to: 'ada@example.com', html: 'x' }, 'input.subject'],
  [{ ...inline, to: 'nobody' }, 'input.to'],
  [{ ...inline, templateId: newId({ now: () => new Date() }) }, 'input.subject'],
  [{ ...inline, category: 'MARKETING' }, 'input.memberId'],
  [{ ...inline, idempotencyKey: ' ' }, 'input.idempotencyKey'],
  [{ ...inline, data: { long: 'x'.repeat(70_000) } }, 'input.data'],
])('what does not fit is refused by name: case %#', async (input, field) => {
  const answer = await send(ctx, input);
  expect(answer).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(answer.message).toMatch(new RegExp(`^${field} `));
  expect(await messages(ctx)).toEqual([]);
});

test('an attachment is refused by name', async () => {
  const answer = await send(ctx, { ...inline, attachments: [] });
  expect(answer.message).toContain('attachments');
});

test('a variable that is missing is named at once, and nothing is queued', async () => {
  const templateId = await givenTemplate(ctx);
  const { id: memberId } = await enrolMember(ctx);
  const answer = await send(ctx, { templateId, memberId, data: {} });
  expect(answer).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'RENDER_FAILED' });
  expect(answer.message).toMatch(/^input\.data .*data\.order_number.*line 1, column \d+/);
  expect(await messages(ctx)).toEqual([]);
});

test('a template or a member of another workspace is not found', async () => {
  const other = newContext();
  const templateId = await givenTemplate(other);
  const { id: memberId } = await enrolMember(other);
  expect(await send(ctx, { templateId, to: 'a@example.com' })).toMatchObject({
    reason: 'TEMPLATE_NOT_FOUND',
  });
  expect(await send(ctx, { subject: 'x', html: 'x', memberId })).toMatchObject({
    reason: 'MEMBER_NOT_FOUND',
  });
});

test('mail that came back or was reported stops the message; an opt-out does not', async () => {
  await unsubscribe(ctx, 'out@example.com');
  expect((await send(ctx, { ...inline, to: 'OUT@example.com' })).data.sendTransactional.status).toBe(
    'QUEUED',
  );
  for (const reason of ['BOUNCED', 'COMPLAINED']) {
    const to = `${reason.toLowerCase()}@example.com`;
    await suppress(ctx, to, reason);
    const input = { ...inline, to, idempotencyKey: reason };
    expect((await send(ctx, input)).data.sendTransactional).toMatchObject({ status: 'SUPPRESSED' });
    expect((await send(fresh(), input)).data.sendTransactional).toMatchObject({
      status: 'SUPPRESSED',
      reused: true,
    });
  }
  const suppressed = (await messages(ctx)).filter(({ status }) => status === 'SUPPRESSED');
  expect(suppressed.map(({ reason }) => reason).sort()).toEqual(['BOUNCED', 'COMPLAINED']);
});

test('an opt-out stops a marketing message', async () => {
  const { id: memberId } = await enrolMember(ctx, 'out@example.com');
  await unsubscribe(ctx, 'out@example.com');
  const input = { subject: 'x', html: 'x', memberId, category: 'MARKETING' };
  expect((await send(fresh(), input)).data.sendTransactional.status).toBe('SUPPRESSED');
});

test('a marketing template cannot be sent as a transactional message', async () => {
  const templateId = await givenTemplate(ctx, { category: 'MARKETING', subject: 'x', html: 'x' });
  const { id: memberId } = await enrolMember(ctx);
  const answer = await send(ctx, { templateId, memberId, category: 'TRANSACTIONAL' });
  expect(answer.message).toMatch(/^input\.category must be MARKETING/);
  expect((await send(ctx, { templateId, to: 'a@example.com' })).message).toMatch(/^input\.memberId /);
});

test('test mode renders and contacts nobody', async () => {
  const sandbox = fresh({ mode: 'TEST' });
  const { data } = await send(sandbox, inline);
  expect(data.sendTransactional).toMatchObject({ status: 'SIMULATED', reused: false });
  const broken = await send(sandbox, { ...inline, html: '{{ data.missing }}' });
  expect(broken).toMatchObject({ reason: 'RENDER_FAILED' });
  expect(await messages(ctx)).toEqual([]);
});

test('a member who is about to be erased, or restricted, gets nothing', async () => {
  const { id: memberId } = await enrolMember(ctx, 'closing@example.com');
  await askLoyalty(fresh(), 'mutation ($id: ID!) { requestErasure(memberId: $id) { id } }', { id: memberId });
  const input = { subject: 'x', html: 'x' };
  expect(await send(fresh(), { ...input, memberId })).toMatchObject({
    code: 'CONFLICT',
    reason: 'MEMBER_CLOSED',
  });
  const restricted = await enrolMember(ctx, 'restricted@example.com');
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    restricted.id,
  ]);
  const answer = await send(fresh(), { ...input, to: 'restricted@example.com' });
  expect(answer).toMatchObject({ code: 'CONFLICT', reason: 'MEMBER_RESTRICTED' });
});

test('neither address nor data nor content is stored in the clear, and the member of an address is known', async () => {
  const { id } = await enrolMember(ctx, 'ada@example.com');
  await send(fresh(), { ...inline, html: '<p>secret content</p>', data: { code: 'secret data' } });
  const [message] = await messages(ctx);
  expect(message).toMatchObject({ memberId: id });
  for (const clear of ['ada@', 'secret content', 'secret data'])
    for (const form of [clear, Buffer.from(clear).toString('hex')]) expect(message!.text).not.toContain(form);
});
