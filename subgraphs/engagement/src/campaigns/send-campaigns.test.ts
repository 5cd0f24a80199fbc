import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { campaignFigures } from '../campaign-results/campaign-figures.service.ts';
import { setSendingStopped } from '../messages/emergency-stop.service.ts';
import {
  givenProvider,
  givenTemplate,
  type MailApi,
  reaching,
  sendAll,
  startMailApi,
} from '../messages/messages.fixture.ts';
import { givenRecipients, messagesOf } from '../sending/sending.fixture.ts';
import { updateMessageTemplate } from '../templates/edit-template.service.ts';
import { archiveMessageTemplate } from '../templates/templates.service.ts';
import {
  givenCampaign,
  givenProfileSegment,
  givenSegmentOf,
  recipientsOfCampaign,
  takeSteps,
} from './campaigns.fixture.ts';
import { getCampaign, variantsOf } from './campaigns.service.ts';
import {
  cancelCampaign,
  launchCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
} from './launching.service.ts';
import { localTime } from './local-times.ts';
import { eraseRecipient } from './recipients.service.ts';
import { isHeldOut, variantOf } from './split.ts';

const { services, ctx, fresh } = useServices();
let api: MailApi;
beforeAll(async () => {
  api = await startMailApi();
});
afterAll(() => api.close());
// Campaigns of earlier tests would be claimed, too.
beforeEach(() => ctx.sql.query('UPDATE engagement.campaigns SET due_at = NULL'));

const figures = async (id: string) => campaignFigures(fresh(), await getCampaign(fresh(), id));

test('a campaign reaches every member of its audience once, and is sent when no message waits', async () => {
  api.mails.length = 0;
  await givenProvider(fresh(), api);
  const memberIds = await givenRecipients(fresh(), 12);
  const excluded = await givenSegmentOf(ctx, memberIds.slice(10));
  const segmentId = await givenSegmentOf(ctx, memberIds);
  const id = await givenCampaign(fresh(), { segmentId, excludedSegmentIds: [excluded] });
  expect(await launchCampaign(fresh(), id)).toMatchObject({ status: 'SENDING', finishedAt: null });
  await takeSteps(services);
  expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'SENDING' });
  expect(await figures(id)).toMatchObject({ recipients: 10, queued: 10, sent: 0, isAudienceComplete: true });
  await sendAll(reaching(services, [api.host]));
  services.clock.advance(1_000);
  await takeSteps(services);
  expect(await getCampaign(fresh(), id)).toMatchObject({ status: 'SENT', finishedAt: services.clock.now() });
  expect(api.mails).toHaveLength(10);
  expect(new Set(api.mails.map(({ to }) => to)).size).toBe(10);
  // An unsubscribe link is added to marketing without one.
  expect(api.mails[0]!.html).toContain('Unsubscribe');
  expect(await figures(id)).toMatchObject({
    ...{ recipients: 10, queued: 0, sent: 10, skipped: 0, failed: 0 },
    variants: [{ key: 'A', sent: 10 }],
  });
  expect(await publishedEvents(ctx, 'campaign.started')).toEqual([{ campaignId: id }]);
  expect(await publishedEvents(ctx, 'campaign.finished')).toEqual([
    { campaignId: id, recipients: 10, heldOut: 0, skipped: 0, queued: 10 },
  ]);
});

const counted = async (id: string) => {
  const recipients = await recipientsOfCampaign(ctx, id);
  const byKind = Map.groupBy(
    recipients,
    ({ variant, state, reason }) => `${variant} ${state} ${reason ?? ''}`,
  );
  return [...byKind].map(([kind, { length }]) => [kind, length]).sort();
};
/** The stored counts of the campaign, in the same form. */
const kept = async (id: string) =>
  (await getCampaign(fresh(), id)).recipientCounts
    .map(({ variant, state, reason, count }) => [`${variant} ${state} ${reason ?? ''}`, count])
    .sort();

test('variants and the hold-out follow the hashes, and the counts are those of the recipients', async () => {
  const { segmentId, memberIds } = await givenProfileSegment(ctx, Array(300).fill({}));
  const variants = [
    { key: 'red', weight: 3, subject: 'Red', html: 'red' },
    { key: 'blue', weight: 1, subject: 'Blue', html: 'blue' },
  ];
  const id = await givenCampaign(fresh(), { segmentId, variants, holdOutPercent: 20 });
  await launchCampaign(fresh(), id);
  await takeSteps(services);
  const recipients = await recipientsOfCampaign(ctx, id);
  expect(recipients.map(({ memberId }) => memberId)).toEqual([...memberIds].sort());
  for (const { memberId, variant, state } of recipients) {
    expect(variant).toBe(variantOf(id, memberId, await variantsOf(fresh(), { id })));
    expect(state).toBe(isHeldOut(id, memberId, 20) ? 'HELD_OUT' : 'QUEUED');
  }
  expect(await kept(id)).toEqual(await counted(id));
  const heldOut = recipients.filter(({ state }) => state === 'HELD_OUT').length;
  expect(await figures(id)).toMatchObject({ recipients: 300, heldOut, queued: 300 - heldOut });
  expect(await messagesOf(ctx)).toHaveLength(300 - heldOut);
});

test('the version of a template is that of the start, whatever is edited afterwards', async () => {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const templateId = await givenTemplate(ctx, { category: 'MARKETING' });
  const id = await givenCampaign(fresh(), { segmentId, variants: [{ templateId }] });
  await launchCampaign(fresh(), id);
  await updateMessageTemplate(fresh(), templateId, { subject: 'Later' });
  await takeSteps(services);
  const [message] = await ctx.sql.query(
    'SELECT template_version AS version FROM engagement.messages WHERE source_id = $1',
    [id],
  );
  expect(message).toEqual({ version: 1 });
});

test('members in other time zones get a scheduled message by their own clocks', async () => {
  const at = new Date('2026-03-03T09:00:00.000Z');
  const zones = ['Asia/Tokyo', 'UTC', 'America/New_York'];
  const { segmentId, memberIds } = await givenProfileSegment(
    ctx,
    zones.map((timeZone) => ({ timeZone })),
  );
  const id = await givenCampaign(fresh(), { segmentId });
  expect(await scheduleCampaign(fresh(), id, { at, isLocalTime: true })).toMatchObject({
    ...{ status: 'SCHEDULED', scheduledAt: at, isLocalTime: true },
  });
  const queued = async () => {
    await takeSteps(services);
    return (await recipientsOfCampaign(ctx, id)).filter(({ state }) => state === 'QUEUED').length;
  };
  expect(await queued()).toBe(0);
  services.clock.set(new Date('2026-03-02T19:00:00.000Z'));
  expect(await queued()).toBe(0);
  const due = new Map((await recipientsOfCampaign(ctx, id)).map(({ memberId, dueAt }) => [memberId, dueAt]));
  expect(memberIds.map((memberId) => due.get(memberId)!.toISOString())).toEqual([
    '2026-03-03T00:00:00.000Z',
    '2026-03-03T09:00:00.000Z',
    '2026-03-03T14:00:00.000Z',
  ]);
  for (const [hour, count] of [
    ['00:00', 1],
    ['08:59', 1],
    ['09:00', 2],
    ['14:00', 3],
  ] as const) {
    services.clock.set(new Date(`2026-03-03T${hour}:00.000Z`));
    expect(await queued()).toBe(count);
  }
});

test('a pause stops between steps; a campaign goes on where it was, and nobody gets two messages', async () => {
  const { segmentId } = await givenProfileSegment(ctx, Array(1_500).fill({}));
  const id = await givenCampaign(fresh(), { segmentId });
  await launchCampaign(fresh(), id);
  await takeSteps(services, 2);
  expect(await counted(id)).toEqual([
    ['A QUEUED ', 1_000],
    ['A WAITING ', 500],
  ]);
  expect(await pauseCampaign(fresh(), id)).toMatchObject({ status: 'PAUSED', failure: null });
  await takeSteps(services);
  expect(await figures(id)).toMatchObject({ waiting: 500, queued: 1_000 });
  const held = 'SELECT source_id AS id FROM engagement.held_sources WHERE workspace_id = $1';
  expect(await ctx.sql.query(held, [ctx.scope.workspaceId])).toEqual([{ id }]);
  await resumeCampaign(fresh(), id);
  await takeSteps(services);
  expect(await counted(id)).toEqual([['A QUEUED ', 1_500]]);
  expect(await kept(id)).toEqual(await counted(id));
  const messages = await messagesOf(ctx);
  expect(new Set(messages.map(({ memberId }) => memberId)).size).toBe(1_500);
  expect(messages.filter(({ dueAt }) => dueAt === null)).toEqual([]);
});

test('cancelling ends it for good: who waits is skipped, and the end is published with the counts', async () => {
  const { segmentId } = await givenProfileSegment(ctx, Array(1_200).fill({}));
  const id = await givenCampaign(fresh(), { segmentId });
  await launchCampaign(fresh(), id);
  await takeSteps(services, 2);
  expect(await cancelCampaign(fresh(), id)).toMatchObject({ status: 'CANCELLED' });
  const after = { recipients: 1_200, queued: 0, waiting: 0, skipped: 1_200 };
  expect(await figures(id)).toMatchObject({ ...after, skips: [{ reason: 'CANCELLED', count: 1_200 }] });
  await takeSteps(services);
  expect(await counted(id)).toEqual([
    ['A QUEUED ', 1_000],
    ['A SKIPPED CANCELLED', 200],
  ]);
  expect(await figures(id)).toMatchObject(after);
  expect(await publishedEvents(ctx, 'campaign.finished')).toEqual([
    { campaignId: id, recipients: 1_200, heldOut: 0, skipped: 200, queued: 1_000 },
  ]);
  await expect(resumeCampaign(fresh(), id)).rejects.toMatchObject({ code: 'CAMPAIGN_STATE' });
});

test('several workers at once give nobody two messages, and lose nobody', async () => {
  const { segmentId } = await givenProfileSegment(ctx, Array(2_400).fill({}));
  const ids = await Promise.all([1, 2].map(() => givenCampaign(fresh(), { segmentId, holdOutPercent: 10 })));
  for (const id of ids) await launchCampaign(fresh(), id);
  await Promise.all([1, 2, 3, 4].map(() => takeSteps(services)));
  await takeSteps(services);
  for (const id of ids) {
    expect(await kept(id)).toEqual(await counted(id));
    const { recipients, waiting } = await figures(id);
    expect([recipients, waiting]).toEqual([2_400, 0]);
  }
  const [{ messages, members }] = (await ctx.sql.query(
    `SELECT count(*)::int AS messages, count(DISTINCT (source_id, member_id))::int AS members
       FROM engagement.messages WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  )) as [{ messages: number; members: number }];
  expect(members).toBe(messages);
});

test('while the workspace sends nothing no messages are made, and afterwards all are', async () => {
  const { segmentId } = await givenProfileSegment(ctx, Array(5).fill({}));
  const id = await givenCampaign(fresh(), { segmentId });
  await launchCampaign(fresh(), id);
  await setSendingStopped(fresh(), true);
  await takeSteps(services);
  expect(await messagesOf(ctx)).toEqual([]);
  await setSendingStopped(fresh(), false);
  services.clock.advance(5_000);
  await takeSteps(services);
  expect(await messagesOf(ctx)).toHaveLength(5);
});

test('a member who is erased while waiting gets nothing, and the counts say so', async () => {
  const { segmentId, memberIds } = await givenProfileSegment(ctx, Array(3).fill({}));
  const id = await givenCampaign(fresh(), { segmentId });
  await launchCampaign(fresh(), id);
  await takeSteps(services, 1);
  await eraseRecipient(fresh(), memberIds[1]!);
  await eraseRecipient(fresh(), memberIds[1]!);
  await takeSteps(services);
  expect(await counted(id)).toEqual([
    ['A QUEUED ', 2],
    ['A SKIPPED MEMBER_ERASED', 1],
  ]);
  expect(await kept(id)).toEqual(await counted(id));
});

test('what cannot be sent stops the campaign with a reason, and it can be cancelled or go on', async () => {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const templateId = await givenTemplate(ctx, { category: 'MARKETING' });
  const at = new Date(services.clock.now().getTime() + HOUR_MS);
  const id = await givenCampaign(fresh(), { segmentId, variants: [{ templateId }] });
  await scheduleCampaign(fresh(), id, { at, isLocalTime: false });
  await archiveMessageTemplate(fresh(), templateId);
  services.clock.set(at);
  await takeSteps(services);
  const failed = await getCampaign(fresh(), id);
  expect(failed).toMatchObject({ status: 'DRAFT', startedAt: null });
  expect(failed.failure).toContain('template');
  expect(await recipientsOfCampaign(ctx, id)).toEqual([]);
});

test('a campaign of the sandbox contacts nobody', async () => {
  api.mails.length = 0;
  const sandbox = fresh({ mode: 'TEST' });
  await givenProvider(fresh(), api);
  const memberIds = await givenRecipients(sandbox, 2);
  const id = await givenCampaign(fresh({ mode: 'TEST' }), {
    segmentId: await givenSegmentOf(sandbox, memberIds),
  });
  await launchCampaign(fresh({ mode: 'TEST' }), id);
  await takeSteps(services);
  await sendAll(reaching(services, [api.host]));
  services.clock.advance(1_000);
  await takeSteps(services);
  const campaign = await getCampaign(fresh({ mode: 'TEST' }), id);
  expect(campaign).toMatchObject({ status: 'SENT' });
  expect(await campaignFigures(fresh({ mode: 'TEST' }), campaign)).toMatchObject({ sent: 2, failed: 0 });
  expect(api.mails).toEqual([]);
});

test('local times follow the clocks of both zones, over changes of either', () => {
  const at = new Date('2026-03-28T09:00:00.000Z');
  expect(localTime(at, 'UTC', 'Europe/Lisbon')).toEqual(at);
  const summer = new Date('2026-03-29T09:00:00.000Z');
  expect(localTime(summer, 'UTC', 'Europe/Lisbon').toISOString()).toBe('2026-03-29T08:00:00.000Z');
  // Clocks in Lisbon skip 01:30 on this day, and show it twice on another.
  const skipped = new Date('2026-03-29T01:30:00.000Z');
  expect(localTime(skipped, 'UTC', 'Europe/Lisbon').toISOString()).toBe('2026-03-29T01:30:00.000Z');
  const twice = new Date('2026-10-25T01:30:00.000Z');
  expect(localTime(twice, 'UTC', 'Europe/Lisbon').toISOString()).toBe('2026-10-25T00:30:00.000Z');
  expect(localTime(at, 'UTC', 'Nowhere/Unknown')).toEqual(at);
  expect(localTime(new Date(at.getTime() + DAY_MS), 'America/New_York', 'America/New_York')).toEqual(
    new Date(at.getTime() + DAY_MS),
  );
});
