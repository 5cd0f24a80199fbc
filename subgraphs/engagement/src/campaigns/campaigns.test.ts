import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { deleteSegment, usesOfSegment } from '../segment-uses/segment-uses.service.ts';
import { givenRecipients } from '../sending/sending.fixture.ts';
import { engagement } from '../subgraph.ts';
import { givenCampaign, givenProfileSegment, givenSegmentOf, takeSteps } from './campaigns.fixture.ts';
import { getCampaign } from './campaigns.service.ts';
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  updateCampaign,
} from './edit-campaigns.service.ts';
import { launchCampaign, scheduleCampaign } from './launching.service.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const FIELDS = `id name channel status holdOutPercent attributionDays isLocalTime scheduledAt
  segments { id } excludedSegments { id }
  variants { key weight template { id } subject html title body url icon } createdBy { id }`;
const CREATE = `mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { ${FIELDS} } }`;
const inHour = () => new Date(services.clock.now().getTime() + 3_600_000);

test('a draft is made, read, listed, changed, duplicated and deleted; each change is audited', async () => {
  const segmentId = await givenSegmentOf(ctx, []);
  const templateId = await givenTemplate(ctx, { category: 'MARKETING' });
  const variants = [
    { templateId, weight: 2 },
    { key: 'own', subject: 'Hi {{ member.first_name }}', html: 'x' },
  ];
  const input = { name: ' Spring ', channel: 'EMAIL', segmentIds: [segmentId], variants, holdOutPercent: 10 };
  const { data } = await ask(ctx, CREATE, { input });
  const { id, ...created } = data.createCampaign;
  const empty = { subject: null, html: null, title: null, body: null, url: null, icon: null };
  expect(created).toEqual({
    ...{ name: 'Spring', channel: 'EMAIL', status: 'DRAFT', holdOutPercent: 10, attributionDays: 7 },
    ...{ isLocalTime: false, scheduledAt: null, segments: [{ id: segmentId }], excludedSegments: [] },
    variants: [
      { ...empty, key: 'A', weight: 2, template: { id: templateId } },
      { ...empty, key: 'own', weight: 1, template: null, subject: 'Hi {{ member.first_name }}', html: 'x' },
    ],
    createdBy: { id: ctx.scope.workspaceId },
  });
  await updateCampaign(fresh(), id, { name: 'Summer', holdOutPercent: 0, variants: [{ templateId }] });
  const copy = await duplicateCampaign(fresh(), id, null);
  expect(copy).toMatchObject({ name: 'Summer (copy)', status: 'DRAFT', segmentIds: [segmentId] });
  const listed = await ask(
    fresh(),
    '{ campaigns(status: DRAFT) { nodes { name variants { key } } totalCount } }',
  );
  expect(listed.data.campaigns).toEqual({
    nodes: [
      { name: 'Summer (copy)', variants: [{ key: 'A' }] },
      { name: 'Summer', variants: [{ key: 'A' }] },
    ],
    totalCount: 2,
  });
  expect(await deleteCampaign(fresh(), copy.id)).toEqual({ id: copy.id, deleted: true });
  expect((await ask(fresh(), `{ campaign(id: "${copy.id}") { id } }`)).data.campaign).toBeNull();
  const audited = await ctx.sql.query<{ action: string }>(
    `SELECT action FROM platform.audit_entries 
      WHERE resource_type = 'Campaign' AND workspace_id = $1 ORDER BY id`,
    [ctx.scope.workspaceId],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    ...['createCampaign', 'updateCampaign', 'duplicateCampaign', 'deleteCampaign'],
  ]);
});

describe('refused is', () => {
  const mail = { name: 'x', channel: 'EMAIL' as const };
  const own = { subject: 's', html: 'h' };
  test.each([
    [{ ...mail, name: ' ' }, 'input.name must not be empty.'],
    [{ ...mail, status: 'SENDING' }, 'input.status must be draft: a campaign is launched afterwards.'],
    [{ ...mail, subject: 's' }, 'input.html must be given with subject.'],
    [{ ...mail, html: 'h' }, 'input.subject must be given with html.'],
    [{ ...mail, ...own, variants: [own] }, 'input.subject cannot be combined with variants.'],
    [{ ...mail, variants: [] }, 'input.variants must be 1 to 5.'],
    [{ ...mail, variants: Array(6).fill(own) }, 'input.variants must be 1 to 5.'],
    [{ ...mail, variants: [own, { ...own, key: 'A' }] }, 'input.variants[1].key must not be A twice.'],
    [{ ...mail, variants: [{ ...own, weight: 0 }] }, 'input.variants[0].weight must be between 1 and 1000.'],
    [{ ...mail, variants: [{ ...own, title: 't' }] }, 'input.variants[0].title is for notifications only.'],
    [{ ...mail, variants: [{}] }, 'input.variants[0].templateId must be given, or subject and html instead.'],
    [{ ...mail, channel: 'WEB_PUSH', html: 'h' }, 'input.html is for e-mail only.'],
    [{ ...mail, channel: 'WEB_PUSH', variants: [own] }, 'input.variants[0].subject is for e-mail only.'],
    [{ ...mail, holdOutPercent: 51 }, 'input.holdOutPercent must be between 0 and 50.'],
    [{ ...mail, attributionDays: 0 }, 'input.attributionDays must be between 1 and 90.'],
    [{ ...mail, ...own, journey: {} }, 'input.subject cannot be combined with journey.'],
    [
      { ...mail, ...own, html: 'a\n{{ member.first_name | nothing }}' },
      'input.html is no valid Liquid template: undefined filter: nothing, at line 2, column 1.',
    ],
    [
      { ...mail, subject: '{{ colour }}', html: 'h' },
      /^input\.subject uses the unknown variable colour.* line 1/,
    ],
  ])('%j', async (input, message) => {
    const answer = await ask(fresh(), CREATE, { input });
    expect(answer.code).toBe('BAD_USER_INPUT');
    if (typeof message === 'string') expect(answer.message).toBe(message);
    else expect(answer.message).toMatch(message);
    expect((await ask(fresh(), '{ campaigns { totalCount } }')).data.campaigns.totalCount).toBe(0);
  });

  test('what does not exist, or is of another workspace', async () => {
    const foreign = await givenSegmentOf(newContext(), []);
    const template = await givenTemplate(newContext(), { category: 'MARKETING' });
    const create = (more: object) => createCampaign(fresh(), { ...mail, ...more });
    await expect(create({ segmentId: foreign })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
    const variants = [{ templateId: template }];
    await expect(create({ variants })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
    const receipt = await givenTemplate(ctx, { category: 'TRANSACTIONAL' });
    await expect(create({ variants: [{ templateId: receipt }] })).rejects.toMatchObject({
      message: 'input.variants[0].templateId must be a template of the category MARKETING.',
    });
    const id = await givenCampaign(newContext());
    for (const act of [
      updateCampaign(fresh(), id, {}),
      deleteCampaign(fresh(), id),
      launchCampaign(fresh(), id),
    ])
      await expect(act).rejects.toMatchObject({ category: 'NOT_FOUND', code: 'CAMPAIGN_NOT_FOUND' });
    await expect(duplicateCampaign(fresh(), newId(ctx.clock), null)).rejects.toMatchObject({
      code: 'CAMPAIGN_NOT_FOUND',
    });
    expect((await ask(fresh(), `{ campaign(id: "${id}") { id } }`)).data.campaign).toBeNull();
  });

  test('a notification while web push is off', async () => {
    const push = {
      name: 'x',
      channel: 'WEB_PUSH',
      variants: [{ title: 'Hi {{ member.first_name }}' }],
    } as const;
    await expect(createCampaign(fresh({ modules: [] }), push)).rejects.toMatchObject({
      code: 'MODULE_DISABLED',
    });
    const { id } = await createCampaign(fresh(), {
      ...push,
      variants: [{ title: 'Hi', url: 'https://a.example' }],
    });
    await updateCampaign(fresh(), id, { variants: [{ title: 'Hello' }] });
    const short = await createCampaign(fresh(), { name: 'y', channel: 'WEB_PUSH', subject: 'Title' });
    const { data } = await ask(fresh(), `{ campaign(id: "${short.id}") { variants { title } } }`);
    expect(data.campaign.variants).toEqual([{ title: 'Title' }]);
  });
});

test('a draft without audience or content cannot begin, nor can one whose time is past', async () => {
  const segmentId = await givenSegmentOf(ctx, []);
  const bare = (await createCampaign(fresh(), { name: 'x', channel: 'EMAIL', segmentId })).id;
  const alone = await givenCampaign(fresh());
  const at = inHour();
  for (const begin of [
    launchCampaign,
    (of: typeof ctx, id: string) => scheduleCampaign(of, id, { at, isLocalTime: false }),
  ]) {
    await expect(begin(fresh(), bare)).rejects.toMatchObject({
      category: 'CONFLICT',
      code: 'CAMPAIGN_WITHOUT_CONTENT',
    });
    await expect(begin(fresh(), alone)).rejects.toMatchObject({
      category: 'CONFLICT',
      code: 'CAMPAIGN_WITHOUT_AUDIENCE',
    });
  }
  const id = await givenCampaign(fresh(), { segmentId });
  const past = { at: services.clock.now(), isLocalTime: false };
  await expect(scheduleCampaign(fresh(), id, past)).rejects.toMatchObject({
    message: 'at must be in the future.',
  });
  await ctx.sql.query('UPDATE engagement.segments SET version = 2 WHERE id = $1', [segmentId]);
  await expect(launchCampaign(fresh(), id)).rejects.toMatchObject({ code: 'SEGMENT_NOT_COMPUTED' });
  for (const each of [bare, alone, id])
    expect(await getCampaign(fresh(), each)).toMatchObject({ status: 'DRAFT' });
});

test('what is sending cannot be edited, and each act asks for its own status', async () => {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const id = await givenCampaign(fresh(), { segmentId });
  const act = async (name: string, args = '') =>
    await ask(
      fresh(),
      `mutation { ${name}(id: "${id}"${args}) { ${name === 'deleteCampaign' ? 'id' : 'status'} } }`,
    );
  const edit = () => act('updateCampaign', ', input: {name: "new"}');
  expect((await act('pauseCampaign')).reason).toBe('CAMPAIGN_STATE');
  expect((await act('cancelCampaign')).message).toBe('A campaign that is draft cannot be cancelled.');
  const at = `, at: "${inHour().toISOString()}"`;
  expect((await act('scheduleCampaign', at)).data.scheduleCampaign.status).toBe('SCHEDULED');
  expect((await edit()).reason).toBe('CAMPAIGN_NOT_DRAFT');
  expect((await act('launchCampaign')).data.launchCampaign.status).toBe('SENDING');
  for (const refused of [await edit(), await act('deleteCampaign')])
    expect([refused.code, refused.reason]).toEqual(['CONFLICT', 'CAMPAIGN_NOT_DRAFT']);
  expect((await act('launchCampaign')).reason).toBe('CAMPAIGN_STATE');
  expect((await act('resumeCampaign')).reason).toBe('CAMPAIGN_STATE');
  expect((await act('pauseCampaign')).data.pauseCampaign.status).toBe('PAUSED');
  expect((await edit()).reason).toBe('CAMPAIGN_NOT_DRAFT');
  expect((await act('resumeCampaign')).data.resumeCampaign.status).toBe('SENDING');
  expect((await act('cancelCampaign')).data.cancelCampaign.status).toBe('CANCELLED');
  expect((await act('cancelCampaign')).reason).toBe('CAMPAIGN_STATE');
  expect(await getCampaign(fresh(), id)).toMatchObject({ name: expect.stringContaining('Campaign') });
});

test('a scheduled campaign begins at its time, and not after it was cancelled', async () => {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const [kept, dropped] = [
    await givenCampaign(fresh(), { segmentId }),
    await givenCampaign(fresh(), { segmentId }),
  ];
  const at = inHour();
  for (const id of [kept, dropped]) await scheduleCampaign(fresh(), id, { at, isLocalTime: false });
  await ask(fresh(), `mutation { cancelCampaign(id: "${dropped}") { id } }`);
  await takeSteps(services);
  expect(await getCampaign(fresh(), kept)).toMatchObject({ status: 'SCHEDULED', startedAt: null });
  services.clock.set(at);
  await takeSteps(services);
  expect(await getCampaign(fresh(), kept)).toMatchObject({
    status: 'SENDING',
    startedAt: at,
    scheduledAt: at,
  });
  expect(await getCampaign(fresh(), dropped)).toMatchObject({ status: 'CANCELLED', startedAt: null });
});

test('a segment is in use while a campaign is live, and free for drafts and what has ended', async () => {
  const { segmentId } = await givenProfileSegment(ctx, [{}]);
  const id = await givenCampaign(fresh(), { segmentId, name: 'Spring' });
  expect(await usesOfSegment(fresh(), segmentId)).toEqual([]);
  await scheduleCampaign(fresh(), id, { at: inHour(), isLocalTime: false });
  expect(await usesOfSegment(fresh(), segmentId)).toEqual([{ kind: 'CAMPAIGN', id, name: 'Spring' }]);
  await expect(deleteSegment(fresh(), segmentId)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' });
});

test('a variant is previewed for a member, as it would be sent', async () => {
  const [memberId] = await givenRecipients(ctx, 1);
  const variants = [
    { subject: 'Hi {{ member.first_name }}', html: '<p>{{ member.name }}</p>' },
    { subject: 'Two', html: 'two' },
  ];
  const id = await givenCampaign(fresh(), { variants });
  const preview = (of: string, args: string) =>
    ask(
      fresh(),
      `{ previewCampaign(id: "${of}", memberId: "${memberId}"${args}) {
      variant email { subject html } notification { title body url } } }`,
    );
  const { data } = await preview(id, '');
  expect(data.previewCampaign).toMatchObject({
    variant: 'A',
    email: { subject: 'Hi Ada' },
    notification: null,
  });
  expect(data.previewCampaign.email.html).toContain('Ada Byron');
  expect(data.previewCampaign.email.html).toContain('Unsubscribe');
  expect((await preview(id, ', variant: "B"')).data.previewCampaign.email.subject).toBe('Two');
  expect((await preview(id, ', variant: "C"')).reason).toBe('CAMPAIGN_VARIANT_NOT_FOUND');
  const push = await givenCampaign(fresh(), {
    channel: 'WEB_PUSH',
    variants: [{ title: 'Hi {{ member.first_name }}', url: 'https://a.example' }],
  });
  expect((await preview(push, '')).data.previewCampaign.notification).toEqual({
    ...{ title: 'Hi Ada', body: null, url: 'https://a.example' },
  });
});

test('a campaign with a journey makes it a draft, and goes with it', async () => {
  const segmentId = await givenSegmentOf(ctx, []);
  const journey = {
    entry: { segmentId },
    reentry: { rule: 'NEVER' },
    start: 'wait',
    nodes: [{ id: 'wait', type: 'delay', days: 1, next: null }],
  };
  const { id, journeyId } = await createCampaign(fresh(), { name: 'Welcome', channel: 'EMAIL', journey });
  const status = async () =>
    (await ask(fresh(), `{ campaign(id: "${id}") { status journey { name status } } }`)).data.campaign;
  expect(await status()).toEqual({ status: 'DRAFT', journey: { name: 'Welcome', status: 'DRAFT' } });
  expect(journeyId).not.toBeNull();
  for (const [act, campaign, its] of [
    ['launchCampaign', 'SENDING', 'ACTIVE'],
    ['pauseCampaign', 'PAUSED', 'PAUSED'],
    ['resumeCampaign', 'SENDING', 'ACTIVE'],
    ['cancelCampaign', 'CANCELLED', 'ENDED'],
  ]) {
    await ask(fresh(), `mutation { ${act}(id: "${id}") { id } }`);
    expect(await status()).toEqual({ status: campaign, journey: { name: 'Welcome', status: its } });
  }
  const bad = { ...journey, start: 'nowhere' };
  const refused = await ask(fresh(), CREATE, { input: { name: 'x', channel: 'EMAIL', journey: bad } });
  expect(refused.message).toMatch(/^input\.journey\.start /);
});
