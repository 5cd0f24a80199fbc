import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { handleEvents, memberEvent } from '../journey-runs/runs.fixture.ts';
import { askLoyalty, enrolMember } from '../members.fixture.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import { entriesOf, givenAutomation } from './automations.fixture.ts';
import {
  activateAutomation,
  createAutomation,
  deleteAutomation,
  findAutomation,
  pauseAutomation,
  resumeAutomation,
  updateAutomation,
} from './automations.service.ts';

const { services, newContext } = useServices();
const ask = askOf(engagement);

let ctx: Context;
beforeEach(() => {
  ctx = newContext();
});

const joined = { kind: 'member_created' };
const waiting = [{ type: 'delay', days: 1 }];
const enterBy = async (type: string, memberId: string, payload = {}) =>
  handleEvents(services, [memberEvent(ctx, type, memberId, payload)]);
const membersIn = async (id: string) => (await entriesOf(ctx, id)).map(({ memberId }) => memberId);
const WITHDRAW = `mutation ($id: ID!) {
  setMemberConsent(memberId: $id, purpose: EMAIL_MARKETING, granted: false) { id } }`;
const ADD = `mutation ($input: CreateAutomationInput!) { createAutomation(input: $input) {
  id name status trigger condition actions entered createdBy { id } } }`;

test('a draft does nothing; once it is active its members enter, and how many is counted', async () => {
  const input = { name: ' Welcome ', trigger: joined, actions: [{ type: 'addTag', tag: 'new' }] };
  const { data } = await ask(ctx, ADD, { input });
  const { id } = data.createAutomation;
  expect(data.createAutomation).toMatchObject({
    name: 'Welcome',
    status: 'DRAFT',
    trigger: joined,
    condition: null,
    actions: input.actions,
    entered: 0,
  });
  const { id: member } = await enrolMember(ctx);
  await enterBy('member.created', member);
  expect(await entriesOf(ctx, id)).toEqual([]);
  const activate = `mutation ($id: ID!) { activateAutomation(id: $id) { status } }`;
  expect((await ask(ctx, activate, { id })).data.activateAutomation).toEqual({ status: 'ACTIVE' });
  await enterBy('member.created', member);
  expect(await membersIn(id)).toEqual([member]);
  const counted = await ask(newContext(ctx.caller), '{ automations { nodes { id entered } totalCount } }');
  expect(counted.data.automations).toEqual({ nodes: [{ id, entered: 1 }], totalCount: 1 });
});

test('near a store, of one of these stores only', async () => {
  const { createStore } = await askPeer(
    ctx,
    'commerce',
    'mutation { createStore(input: {name: "Ribeira", address: "Cais 1"}) { id } }',
  );
  const storeId = (createStore as { id: string }).id;
  const trigger = { kind: 'near_store', storeIds: [storeId] };
  const id = await givenAutomation(ctx, { trigger, actions: waiting });
  const [here, there] = [newId(services.clock), newId(services.clock)];
  const geofenceEventId = newId(services.clock);
  await enterBy('location.near_store', here, { storeId, geofenceEventId });
  await enterBy('location.near_store', there, { storeId: newId(services.clock), geofenceEventId });
  expect(await membersIn(id)).toEqual([here]);
});

test('a pause lets nobody in, and what happened during it is over', async () => {
  const id = await givenAutomation(ctx, { trigger: joined, actions: waiting });
  const [during, after] = [newId(services.clock), newId(services.clock)];
  expect(await pauseAutomation(ctx, id)).toMatchObject({ status: 'PAUSED' });
  expect(await pauseAutomation(ctx, id)).toMatchObject({ status: 'PAUSED' });
  await enterBy('member.created', during);
  expect(await resumeAutomation(ctx, id)).toMatchObject({ status: 'ACTIVE' });
  await enterBy('member.created', after);
  expect(await membersIn(id)).toEqual([after]);
});

test('a change of an active automation is for those who enter from then on', async () => {
  const id = await givenAutomation(ctx, { trigger: joined, actions: waiting });
  const [early, late] = [newId(services.clock), newId(services.clock)];
  await enterBy('member.created', early);
  await updateAutomation(ctx, id, { name: 'Longer', actions: [{ type: 'delay', days: 9 }] });
  await enterBy('member.created', late);
  const runs = await ctx.sql.query(
    `SELECT member_id AS id, version FROM engagement.journey_runs WHERE workspace_id = $1 ORDER BY version`,
    [ctx.scope.workspaceId],
  );
  expect(runs).toEqual([
    { id: early, version: 1 },
    { id: late, version: 2 },
  ]);
});

test('the condition decides who enters, and null takes it away', async () => {
  const [poor, rich] = await givenProfiles(ctx, [{ pointsBalance: 1 }, { pointsBalance: 50 }]);
  const condition = { field: 'points_balance', operator: 'at_least', value: 50 };
  const id = await givenAutomation(ctx, { trigger: joined, condition, actions: waiting });
  await enterBy('member.created', poor!);
  await enterBy('member.created', rich!);
  expect(await membersIn(id)).toEqual([rich]);
  await updateAutomation(ctx, id, { condition: null });
  await enterBy('member.created', poor!);
  expect((await membersIn(id)).sort()).toEqual([poor, rich].sort());
});

test.each([
  ['pauseAutomation', pauseAutomation],
  ['resumeAutomation', resumeAutomation],
])('%s of a draft is refused, and of an unknown one', async (_, act) => {
  const { id } = await createAutomation(ctx, { name: 'x', trigger: joined, actions: waiting });
  await expect(act(ctx, id)).rejects.toMatchObject({ code: 'AUTOMATION_IS_DRAFT', category: 'CONFLICT' });
  await expect(act(newContext(), id)).rejects.toMatchObject({ code: 'AUTOMATION_NOT_FOUND' });
});

test('what is paused is resumed, not activated', async () => {
  const id = await givenAutomation(ctx, { trigger: joined, actions: waiting });
  expect(await activateAutomation(ctx, id)).toMatchObject({ status: 'ACTIVE' });
  await pauseAutomation(ctx, id);
  await expect(activateAutomation(ctx, id)).rejects.toMatchObject({ code: 'AUTOMATION_NOT_DRAFT' });
});

test('a draft whose template is gone is not activated', async () => {
  const templateId = await givenTemplate(ctx);
  const actions = [{ type: 'email', templateId }];
  const { id } = await createAutomation(ctx, { name: 'x', trigger: joined, actions });
  await ctx.sql.query('UPDATE engagement.message_templates SET archived_at = now() WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  await expect(activateAutomation(newContext(ctx.caller), id)).rejects.toMatchObject({
    details: { field: 'automation.actions[0].templateId' },
  });
  expect(await findAutomation(newContext(ctx.caller), id)).toMatchObject({ status: 'DRAFT' });
});

test('members leave an automation that is deleted', async () => {
  const id = await givenAutomation(ctx, { trigger: joined, actions: waiting });
  await enterBy('member.created', newId(services.clock));
  expect(await deleteAutomation(ctx, id)).toEqual({ id, deleted: true });
  expect(await findAutomation(newContext(ctx.caller), id)).toBeNull();
  const [run] = await ctx.sql.query('SELECT status FROM engagement.journey_runs WHERE workspace_id = $1', [
    ctx.scope.workspaceId,
  ]);
  expect(run).toEqual({ status: 'EXITED' });
});

test('a test run says what would happen, and nothing happens', async () => {
  const { id: memberId } = await enrolMember(ctx, 'ada@example.com');
  const templateId = await givenTemplate(ctx, {
    category: 'MARKETING',
    subject: 'Hello {{ member.first_name }}',
    html: '<p>Hi</p>',
  });
  const broken = await givenTemplate(ctx);
  await askLoyalty(ctx, WITHDRAW, { id: memberId });
  const condition = { field: 'tags', operator: 'includes_any', value: ['vip'] };
  const actions = [
    { type: 'awardPoints', amount: 5, description: 'Welcome' },
    { type: 'email', templateId },
    { type: 'email', templateId: broken },
    { type: 'webPush', title: 'Hi' },
  ];
  const id = await givenAutomation(ctx, { trigger: joined, condition, actions });
  const query = `query ($id: ID!, $memberId: ID!) { testAutomation(id: $id, memberId: $memberId) {
    member { id } meetsCondition actions { type skippedFor email { subject } error } } }`;
  const { data } = await ask(newContext(ctx.caller), query, { id, memberId });
  expect(data.testAutomation).toEqual({
    member: { id: memberId },
    meetsCondition: false,
    actions: [
      { type: 'awardPoints', skippedFor: null, email: null, error: null },
      { type: 'email', skippedFor: 'NO_CONSENT', email: { subject: 'Hello Ada' }, error: null },
      { type: 'email', skippedFor: null, email: null, error: expect.stringMatching(/data\.order_number/) },
      { type: 'webPush', skippedFor: 'MODULE_DISABLED', email: null, error: null },
    ],
  });
  expect(await entriesOf(ctx, id)).toEqual([]);
  const unknown = await ask(newContext(ctx.caller), query, { id, memberId: newId(services.clock) });
  expect(unknown.reason).toBe('MEMBER_NOT_FOUND');
});
