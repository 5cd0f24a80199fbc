import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import type { Services } from '@loyalty/platform/context';
import { contextOf, useServices } from '@loyalty/test/harness/services';
import { updateMessageSettings } from '../limits/message-settings.service.ts';
import { askLoyalty } from '../members.fixture.ts';
import {
  givenProvider,
  type MailApi,
  reaching,
  sendAll,
  startMailApi,
} from '../messages/messages.fixture.ts';
import { unsubscribe } from '../suppressions/suppressions.service.ts';
import { givenMessages, givenRecipients, messagesOf } from './sending.fixture.ts';

const { services, ctx, fresh, newContext } = useServices({ at: '2026-03-02T10:00:00.000Z' });

let api: MailApi;
let worker: Services;

beforeAll(async () => {
  api = await startMailApi();
  worker = reaching(services, [api.host]);
});
afterAll(async () => {
  await Promise.all([api.close(), worker.http.close()]);
});

const reasonsOf = async () => (await messagesOf(ctx)).map(({ status, reason }) => [status, reason]);

test('what changed after a message was queued is heeded when it is sent', async () => {
  await givenProvider(ctx, api);
  const [out, restricted, plain] = (await givenRecipients(ctx, 3)) as [string, string, string];
  for (const category of ['MARKETING', 'TRANSACTIONAL'] as const)
    await givenMessages(ctx, { category, memberIds: [out, restricted, plain] });
  await askLoyalty(
    fresh(),
    'mutation ($id: ID!) { setMemberConsent(memberId: $id, purpose: EMAIL_MARKETING, granted: false) { id } }',
    { id: out },
  );
  await ctx.sql.query('UPDATE loyalty.members SET is_restricted = true WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    restricted,
  ]);
  await sendAll(worker);
  expect(await reasonsOf()).toEqual([
    ['SKIPPED', 'NO_CONSENT'],
    ['SKIPPED', 'MEMBER_RESTRICTED'],
    ['SENT', null],
    ['SENT', null],
    ['SKIPPED', 'MEMBER_RESTRICTED'],
    ['SENT', null],
  ]);
});

test('an address that was unsubscribed meanwhile gets no marketing; one that returned mail gets nothing', async () => {
  await givenProvider(ctx, api);
  const [one, two] = (await givenRecipients(ctx, 2)) as [string, string];
  for (const category of ['MARKETING', 'TRANSACTIONAL'] as const)
    await givenMessages(ctx, { category, memberIds: [one, two] });
  const [out, bounced] = (await addresses([one, two])) as [string, string];
  await unsubscribe(fresh(), out);
  await unsubscribe(fresh(), bounced);
  await ctx.sql.query(
    `UPDATE engagement.suppressions SET reason = 'BOUNCED' WHERE workspace_id = $1 AND email_index = $2`,
    [ctx.scope.workspaceId, (await services.keyring.of(ctx.scope.workspaceId)).index(bounced, 'email')],
  );
  await sendAll(worker);
  expect(await reasonsOf()).toEqual([
    ['SUPPRESSED', 'UNSUBSCRIBED'],
    ['SUPPRESSED', 'BOUNCED'],
    ['SENT', null],
    ['SUPPRESSED', 'BOUNCED'],
  ]);
});

async function addresses(ids: readonly string[]): Promise<string[]> {
  const fields = ids.map((id, place) => `m${place}: member(id: "${id}") { email }`).join(' ');
  const answer = await askLoyalty(fresh(), `{ ${fields} }`);
  return Object.values(answer).map((member) => (member as { email: string }).email);
}

test('workers together never exceed a cap, and what was sent before counts', async () => {
  await givenProvider(ctx, api);
  await updateMessageSettings(ctx, { marketingPerDay: 2, marketingPerWeek: 3 });
  const memberIds = await givenRecipients(ctx, 4);
  const workers = [1, 2, 3].map(() => reaching(services, [api.host]));
  const dayBy = async (sent: number) => {
    for (let each = 0; each < 3; each += 1) await givenMessages(ctx, { category: 'MARKETING', memberIds });
    await Promise.all(workers.map((each) => sendAll(each)));
    const all = await messagesOf(ctx);
    for (const memberId of memberIds) {
      const own = all.filter((message) => message.memberId === memberId);
      expect(own.filter(({ status }) => status === 'SENT')).toHaveLength(sent);
      expect(own.filter(({ reason }) => reason === 'FREQUENCY_CAP')).toHaveLength(own.length - sent);
    }
    services.clock.advance(25 * HOUR_MS);
  };
  await dayBy(2);
  await dayBy(3);
  await dayBy(3);
  services.clock.advance(7 * 24 * HOUR_MS);
  await dayBy(5);
  await Promise.all(workers.map(({ http }) => http.close()));
});

test('transactional messages have no cap and no quiet hours; marketing waits for their end', async () => {
  services.clock.set('2026-06-01T21:30:00.000Z');
  await givenProvider(ctx, api);
  await updateMessageSettings(ctx, { marketingPerDay: 1, quietFrom: '21:00', quietUntil: '08:00' });
  const memberIds = await givenRecipients(ctx, 1);
  for (const category of ['TRANSACTIONAL', 'TRANSACTIONAL', 'MARKETING'] as const)
    await givenMessages(ctx, { category, memberIds });
  await sendAll(worker);
  expect(await reasonsOf()).toEqual([
    ['SENT', null],
    ['SENT', null],
    ['QUEUED', 'QUIET_HOURS'],
  ]);
  const [, , waiting] = await messagesOf(ctx);
  expect(waiting!.dueAt).toEqual(new Date('2026-06-02T08:00:00.000Z'));
  services.clock.set(waiting!.dueAt!);
  await sendAll(worker);
  expect((await reasonsOf())[2]).toEqual(['SENT', null]);
});

test('messages of other workspaces and modes have caps of their own', async () => {
  const others = [newContext(), fresh({ mode: 'TEST' })];
  for (const each of [ctx, ...others]) {
    await givenProvider(each, api);
    await givenMessages(each, { category: 'MARKETING', count: 1 });
  }
  await updateMessageSettings(ctx, { marketingPerDay: 1 });
  await sendAll(worker);
  expect(await reasonsOf()).toEqual([['SENT', null]]);
  expect(await messagesOf(contextOf(services, others[0]!.caller))).toMatchObject([{ status: 'SENT' }]);
  expect(await messagesOf(others[1]!)).toMatchObject([{ status: 'SIMULATED' }]);
});
