import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import { catalogByKey, hasField } from '../events/catalog-events.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { checkAutomation } from './automation-definition.service.ts';
import { automationTriggers, eventTriggers } from './automation-trigger.ts';

const { ctx } = useServices();

const none = newId({ now: () => new Date('2026-03-02T10:00:00Z') });
const tag = { type: 'addTag', tag: 'vip' };
const joined = { kind: 'member_created' };
const check = (given: object) =>
  checkAutomation(ctx, { trigger: joined, condition: null, actions: [tag], ...given }, 'input');

test('every trigger by event is of the catalog and about a member, and is filtered by its own fields', () => {
  for (const { event, filters } of Object.values(eventTriggers)) {
    const found = catalogByKey.get(event);
    expect([event, found && hasField(found, 'memberId')]).toEqual([event, true]);
    for (const field of Object.values(filters))
      expect([event, hasField(found!, field)]).toEqual([event, true]);
  }
  expect(automationTriggers).toHaveLength(26);
});

test('the actions become a journey that goes through them one after the other', async () => {
  const templateId = await givenTemplate(ctx);
  const condition = { field: 'points_balance', operator: 'at_least', value: 10 };
  const actions = [{ type: 'delay', hours: 2 }, { type: 'email', templateId }, tag];
  const { definition, journey } = await check({ condition, actions });
  expect(definition).toEqual({ trigger: joined, condition, actions });
  expect(journey).toMatchObject({
    entry: { event: { type: 'member.created' } },
    reentry: { rule: 'AFTER_END' },
    condition,
    start: 'action-1',
    nodes: [
      { id: 'action-1', type: 'delay', next: 'action-2' },
      { id: 'action-2', type: 'email', next: 'action-3' },
      { id: 'action-3', type: 'addTag', next: null },
    ],
  });
});

test('defaults of a trigger are written down, and no event lets members enter by the clock', async () => {
  const { definition, journey } = await check({ trigger: { kind: 'birthday' } });
  expect(definition.trigger).toEqual({ kind: 'birthday', daysBefore: 0, time: '09:00' });
  expect(journey.entry).toEqual({ event: { type: 'automation.due' } });
});

test.each<[object, string, RegExp]>([
  [{ trigger: null }, 'input.trigger', /an object with a kind/],
  [{ trigger: { kind: 'moon' } }, 'input.trigger.kind', /must be one of member_created/],
  [{ trigger: { kind: 'toString' } }, 'input.trigger.kind', /must be one of/],
  [{ trigger: { ...joined, days: 1 } }, 'input.trigger', /has no days/],
  [{ trigger: { kind: 'inactivity' } }, 'input.trigger.days', /must be given/],
  [{ trigger: { kind: 'inactivity', days: 0 } }, 'input.trigger.days', /from 1 to/],
  [{ trigger: { kind: 'points_expiring', daysBefore: 61 } }, 'input.trigger.daysBefore', /from 1 to 60/],
  [{ trigger: { kind: 'birthday', time: '9am' } }, 'input.trigger.time', /such as 09:00/],
  [{ trigger: { kind: 'date', field: 'points' } }, 'input.trigger.field', /custom field with dates/],
  [{ trigger: { kind: 'date', field: 'customAttributes.x' } }, 'input.trigger.field', /with dates/],
  [{ trigger: { kind: 'segment_entered' } }, 'input.trigger.segmentIds', /must be given/],
  [{ trigger: { kind: 'near_store', storeIds: [none] } }, 'input.trigger.storeIds[0]', /of a store/],
  [{ trigger: { kind: 'near_store', storeIds: ['x'] } }, 'input.trigger.storeIds[0]', /UUID/],
  [{ trigger: { kind: 'tier_upgraded', tierIds: [none] } }, 'input.trigger.tierIds[0]', /of a tier/],
  [{ trigger: { kind: 'coupon_issued', poolIds: [none] } }, 'input.trigger.poolIds[0]', /coupon pool/],
  [{ actions: [] }, 'input.actions', /1 to 30/],
  [{ actions: ['x'] }, 'input.actions[0]', /an object with a type/],
  [{ actions: [tag, { type: 'split' }] }, 'input.actions[1].type', /must be one of email/],
  [{ actions: [{ ...tag, next: null }] }, 'input.actions[0].next', /follow each other/],
  [{ actions: [{ type: 'email', templateId: none }] }, 'input.actions[0].templateId', /template/],
  [{ actions: [tag, { type: 'issueCoupon', poolId: none }] }, 'input.actions[1].poolId', /pool/],
  [{ actions: [{ type: 'awardPoints', amount: 0, description: 'x' }] }, 'input.actions[0].amount', /whole/],
  [{ actions: [{ type: 'delay' }] }, 'input.actions[0]', /at least one minute/],
  [{ actions: [{ type: 'webPush', title: '{{ member.' }] }, 'input.actions[0].title', /line 1/],
  [{ condition: { field: 'shoe', operator: 'is_set' } }, 'input.condition.field', /segmentFields/],
])('%j is refused at %s', async (given, field, sentence) => {
  const error = await check(given).catch((refusal) => refusal);
  expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field } });
  expect(error.message).toMatch(sentence);
});

test('a segment that there is not is not found', async () => {
  await expect(check({ trigger: { kind: 'segment_left', segmentIds: [none] } })).rejects.toMatchObject({
    code: 'SEGMENT_NOT_FOUND',
  });
});
