import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { enrolMembers } from '@loyalty/engagement-subgraph/members.fixture';
import {
  givenProvider,
  type MailApi,
  type PostedMail,
  reaching,
  startMailApi,
} from '@loyalty/engagement-subgraph/messages/messages.fixture';
import { messageCounts } from '@loyalty/engagement-subgraph/messages/source-messages.service';
import {
  givenMessages,
  givenSource,
  messagesOf,
  type ShownMessage,
} from '@loyalty/engagement-subgraph/sending/sending.fixture';
import type { Context } from '@loyalty/platform/context';
import { eventually } from '../harness/eventually.ts';
import { contextOf, useServices } from '../harness/services.ts';
import { killed, useWorkers } from './bulk-workers.fixture.ts';

const MEMBERS = 800;
const KILLS = 2;

const used = useServices({ at: new Date().toISOString() });
const { services, newContext } = used;
let api: MailApi;
const { worker, keep } = useWorkers(used, () => ({ OUTBOUND_ALLOW: api.host }));

beforeAll(async () => {
  api = await startMailApi();
});
afterAll(() => api.close());

const enrol = (ctx: Context): Promise<string[]> =>
  enrolMembers(
    contextOf(services, ctx.caller),
    Array.from({ length: MEMBERS }, (_, number) => `m${number}@example.com`),
  );

/**
 * Kills workers in the middle of their work, then lets one finish; returns the messages, the mails that the
 * provider received and the counts.
 */
async function sendUnderKills(
  kind: 'RESEND' | 'CUSTOM_REST',
  source = givenSource(),
): Promise<[ShownMessage[], PostedMail[], Record<string, number>]> {
  api.mails.length = 0;
  const ctx = newContext();
  await givenProvider(reachingApi(ctx), api, kind);
  await givenMessages(ctx, { memberIds: await enrol(ctx), source });
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const one = await worker();
    await eventually(() => expect(api.mails.length).toBeGreaterThan((kill * MEMBERS) / (KILLS + 2)));
    await killed(one);
    await passLeases(ctx);
  }
  const last = await worker();
  await eventually(async () => {
    const waiting = (await messagesOf(ctx)).filter(({ dueAt }) => dueAt !== null);
    expect(waiting).toHaveLength(0);
  });
  keep(last);
  const counts: Record<string, number> = {};
  for (const { status, count } of await messageCounts(ctx, [source.id]))
    counts[status] = (counts[status] ?? 0) + count;
  return [await messagesOf(ctx), [...api.mails], counts];
}

const reachingApi = (ctx: Context): Context => contextOf(reaching(services, [api.host]), ctx.caller);

/**
 * Ends all leases, as two minutes would. It also resets the counts of claims, so that no message is given up
 * because of the kills.
 */
const passLeases = (ctx: Context): Promise<unknown> =>
  ctx.sql.query(
    'UPDATE engagement.messages SET due_at = now(), claims = 0 WHERE workspace_id = $1 AND due_at > now()',
    [ctx.scope.workspaceId],
  );

const countBy = (mails: readonly PostedMail[], of: (mail: PostedMail) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const mail of mails) counts.set(of(mail), (counts.get(of(mail)) ?? 0) + 1);
  return counts;
};

test('killed workers lose no message of a campaign, its counts are exact, and a provider that honours keys sends none twice', async () => {
  const [messages, mails, counts] = await sendUnderKills('RESEND');
  expect(counts).toEqual({ SENT: MEMBERS });
  expect(messages).toHaveLength(MEMBERS);
  expect(messages.filter(({ status }) => status !== 'SENT')).toEqual([]);
  expect(messages.filter(({ reason }) => reason !== null)).toEqual([]);
  // A provider that honours idempotency keys sends one mail for each key.
  const byKey = countBy(mails, ({ key }) => key!);
  expect([...byKey.keys()].sort()).toEqual(messages.map(({ id }) => id));
  expect(new Set(mails.map(({ key, to }) => `${key} ${to}`)).size).toBe(MEMBERS);
  // The kills interrupted messages that were being sent.
  expect(messages.filter(({ attempts }) => attempts.includes('UNKNOWN')).length).toBeGreaterThan(0);
}, 180_000);

test('any other provider gets a message twice at most, and then the log says so', async () => {
  const [messages, mails, counts] = await sendUnderKills('CUSTOM_REST');
  expect((counts['SENT'] ?? 0) + (counts['FAILED'] ?? 0)).toBe(MEMBERS);
  const byRecipient = countBy(mails, ({ to }) => to);
  expect(byRecipient.size).toBe(MEMBERS);
  expect(Math.max(...byRecipient.values())).toBeLessThanOrEqual(2);
  const twice = [...byRecipient.values()].filter((count) => count === 2).length;
  const said = messages.filter(({ reason }) => reason !== null);
  for (const { reason } of said) expect(['POSSIBLY_SENT_TWICE', 'OUTCOME_UNKNOWN']).toContain(reason);
  expect(said.length).toBeGreaterThanOrEqual(twice);
  expect(messages.filter(({ status }) => status === 'SENT').length).toBeGreaterThan(MEMBERS * 0.9);
}, 180_000);
