import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { givenCampaign, givenSegmentOf, takeSteps } from '../campaigns/campaigns.fixture.ts';
import { getCampaign } from '../campaigns/campaigns.service.ts';
import { launchCampaign, resumeCampaign } from '../campaigns/launching.service.ts';
import {
  givenProvider,
  type MailApi,
  reaching,
  sendAll,
  startMailApi,
} from '../messages/messages.fixture.ts';
import { sendTransactional } from '../messages/transactional.service.ts';
import { previewMessage } from '../templates/previews.service.ts';
import { EndlessTemplate, renderMessages } from '../templates/render-messages.ts';
import { givenMessages, givenRecipients, givenSource, messagesOf } from './sending.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
let api: MailApi;
beforeAll(async () => {
  api = await startMailApi();
});
afterAll(() => api.close());

/** A nested search: the inner expression is evaluated for each pair of items. */
const NESTED = `{% assign a=(1..50000) %}{{ a | where_exp: "i", "a | find_exp: 'j', 'j == 0'" | size }}`;
/** At this size, a number plus one is the same number, so the list has no end. */
const ENDLESS = '{{ (9007199254740992..9007199254740994) | size }}';
/** Hides an attack from the check before a message is accepted. */
const hidden = (attack: string): string => `{% if unsubscribe_url contains "token" %}${attack}{% endif %}`;

/** Returns how often an interval ticked during the work. */
async function ticksDuring(work: () => Promise<unknown>): Promise<number> {
  let ticks = 0;
  const interval = setInterval(() => (ticks += 1), 10);
  await work();
  clearInterval(interval);
  return ticks;
}

async function refusal(work: Promise<unknown>): Promise<Pick<AppError, 'category' | 'code' | 'message'>> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('It was accepted.');
  return error;
}

const send = (on: Context, html: string) =>
  sendTransactional(on, { to: 'ada@example.com', subject: 'x', html } as never);
const preview = (on: Context, source: string) => previewMessage(on, { subject: 'x', source }, {});

const ways = [
  ['a preview', preview],
  ['a message', send],
] as const;

test.each(ways)('filters that evaluate a text are refused: %s', async (_, ask) => {
  expect(await refusal(ask(fresh(), NESTED))).toMatchObject({
    code: 'TEMPLATE_INVALID',
    message: expect.stringContaining('undefined filter: where_exp'),
  });
});

test.each(ways)('what has no end is refused, and others have their turns meanwhile: %s', async (_, ask) => {
  let refused: unknown;
  const ticks = await ticksDuring(async () => {
    refused = await refusal(ask(newContext(), ENDLESS));
  });
  expect(refused).toMatchObject({ category: 'BAD_USER_INPUT', code: 'RENDER_FAILED' });
  expect(ticks).toBeGreaterThan(5);
  expect(await preview(fresh(), 'Hello')).toMatchObject({ html: 'Hello' });
});

test('a campaign without an end stops at its first message, and is never taken up again', async () => {
  const other = newContext();
  await givenProvider(fresh(), api);
  await givenProvider(other, api);
  const segmentId = await givenSegmentOf(ctx, await givenRecipients(fresh(), 5));
  const id = await givenCampaign(fresh(), {
    segmentId,
    variants: [{ subject: 'News', html: hidden(ENDLESS) }],
  });
  await launchCampaign(fresh(), id);
  await takeSteps(services);
  await givenMessages(other);
  const worker = reaching(services, [api.host]);
  expect(await ticksDuring(() => sendAll(worker))).toBeGreaterThan(5);
  const endless = await messagesOf(ctx);
  expect(endless.filter(({ status }) => status === 'FAILED')).toMatchObject([
    { reason: 'RENDER_FAILED', detail: expect.stringContaining('takes too long'), dueAt: null, attempts: [] },
  ]);
  expect(endless.filter(({ status }) => status === 'QUEUED')).toMatchObject(
    Array.from({ length: 4 }, () => ({ reason: 'PAUSED', dueAt: null })),
  );
  expect(await messagesOf(other)).toMatchObject([{ status: 'SENT' }]);

  services.clock.advance(1_000);
  await takeSteps(services);
  const failure = expect.stringContaining('could not be filled in');
  expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'PAUSED', failure });
  services.clock.advance(600_000);
  await sendAll(worker);
  await takeSteps(services);
  expect(await messagesOf(ctx)).toEqual(endless);

  await resumeCampaign(fresh(), id);
  await sendAll(worker);
  services.clock.advance(1_000);
  await takeSteps(services);
  expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'PAUSED', failure });
  await worker.http.close();
});

test.each(['JOURNEY', 'AUTOMATION'] as const)(
  'messages of a %s without an end fail, and its other messages are sent',
  async (kind) => {
    const own = newContext();
    await givenProvider(own, api);
    const source = givenSource({ kind, nodeId: 'bad' });
    await givenMessages(own, { count: 3, html: hidden(ENDLESS), source });
    await givenMessages(own, { source: { ...source, nodeId: 'good' } });
    const worker = reaching(services, [api.host]);
    await sendAll(worker);
    const failed = { status: 'FAILED', reason: 'RENDER_FAILED', dueAt: null };
    expect(await messagesOf(own)).toMatchObject([failed, failed, failed, { status: 'SENT' }]);
    await worker.http.close();
  },
);

test('a message that an integration asked for, and that has no end, fails', async () => {
  const own = newContext();
  await givenProvider(own, api);
  expect(await send(own, hidden(ENDLESS))).toMatchObject({ status: 'QUEUED' });
  const worker = reaching(services, [api.host]);
  await sendAll(worker);
  expect(await messagesOf(own)).toMatchObject([{ status: 'FAILED', reason: 'RENDER_FAILED', dueAt: null }]);
  await worker.http.close();
});

test('a text without an end is known of its workspace only; another one finds it out', async () => {
  const content = { title: ENDLESS };
  const isKnown = async (on: Context) => {
    const [rendered] = await renderMessages(on, [{ content, variables: { member: null, data: {} } }]);
    return (rendered as EndlessTemplate).isKnown;
  };
  const [first, second] = [newContext(), newContext()];
  expect([await isKnown(first), await isKnown(first)]).toEqual([false, true]);
  expect([await isKnown(second), await isKnown(second)]).toEqual([false, true]);
});

test('a notification without an end fails', async () => {
  const variables = { member: null, data: {} };
  const rendered = await renderMessages(newContext(), [
    { content: { title: ENDLESS }, variables },
    { content: { title: 'Hello' }, variables },
  ]);
  expect(rendered).toEqual([expect.any(EndlessTemplate), { title: 'Hello' }]);
});

test('many endless messages of one claim are come to in several turns, and none is lost', async () => {
  const own = newContext();
  await givenProvider(own, api);
  for (let index = 0; index < 4; index += 1) await send(own, `${index}${hidden(ENDLESS)}`);
  const worker = reaching(services, [api.host]);
  await sendAll(worker);
  const waiting = (await messagesOf(own)).filter(({ status }) => status === 'QUEUED');
  expect(waiting).toHaveLength(1);
  services.clock.advance(5_000);
  await sendAll(worker);
  for (const message of await messagesOf(own)) expect(message).toMatchObject({ reason: 'RENDER_FAILED' });
  await worker.http.close();
});
