import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { aDefinition, faultIn, inARow, withEvent, withNode } from './journeys.fixture.ts';

const { ctx } = useServices({ isWorkspaceShared: true });

const wait = { id: 'wait', type: 'delay', days: 1 };

test.each([
  ['no object', null, ''],
  ['a list', [], ''],
  ['an unknown key', { ...aDefinition(), extra: 1 }, '.extra'],
  ['no entry', { ...aDefinition(), entry: undefined }, '.entry'],
  ['an empty entry', { ...aDefinition(), entry: {} }, '.entry'],
  ['two entries', { ...aDefinition(), entry: { segmentId: 'x', event: { type: 'y' } } }, '.entry'],
  ['a segment that is no id', { ...aDefinition(), entry: { segmentId: 'x' } }, '.entry.segmentId'],
  ['a type that is no text', withEvent({ type: 5 }), '.entry.event.type'],
  ['an unknown rule', { ...aDefinition(), reentry: { rule: 'ALWAYS' } }, '.reentry.rule'],
  ['a rule without days', { ...aDefinition(), reentry: { rule: 'AFTER_DAYS' } }, '.reentry.days'],
  [
    'days that are too many',
    { ...aDefinition(), reentry: { rule: 'AFTER_DAYS', days: 731 } },
    '.reentry.days',
  ],
  ['a rule with days too many', { ...aDefinition(), reentry: { rule: 'NEVER', days: 1 } }, '.reentry.days'],
  ['an empty goal', { ...aDefinition(), goal: {} }, '.goal'],
  ['an exit that is no list', { ...aDefinition(), exit: {} }, '.exit'],
  ['eleven exits', { ...aDefinition(), exit: Array(11).fill({ event: { type: 'store.visited' } }) }, '.exit'],
  ['no start', { ...aDefinition(), start: undefined }, '.start'],
  ['no nodes', { ...aDefinition(), nodes: [] }, '.nodes'],
  [
    '101 nodes',
    aDefinition({ nodes: inARow(Array.from({ length: 101 }, (_, n) => ({ ...wait, id: `n${n}` }))) }),
    '.nodes',
  ],
  ['a node that is text', { ...aDefinition(), nodes: ['wait'] }, '.nodes[0]'],
  ['a node without a type', withNode({}), '.nodes[0].type'],
  ['an unknown node', withNode({ type: 'sms' }), '.nodes[0].type'],
  ['an unknown key of a node', withNode({ ...wait, id: 'n', colour: 'red' }), '.nodes[0].colour'],
  ['an id with a space', aDefinition({ nodes: inARow([{ ...wait, id: 'a b' }]) }), '.nodes[0].id'],
  [
    'an id of 61 characters',
    aDefinition({ nodes: inARow([{ ...wait, id: 'a'.repeat(61) }]) }),
    '.nodes[0].id',
  ],
  ['a delay of no time', withNode({ type: 'delay', days: 0 }), '.nodes[0]'],
  ['a delay of a part', withNode({ type: 'delay', hours: 1.5 }), '.nodes[0].hours'],
  ['a time of no day', withNode({ type: 'delayUntil', time: '24:00' }), '.nodes[0].time'],
  [
    'a day of no week',
    withNode({ type: 'delayUntil', time: '10:00', weekdays: [0] }),
    '.nodes[0].weekdays[0]',
  ],
  [
    'a day that comes twice',
    withNode({ type: 'delayUntil', time: '10:00', weekdays: [1, 1] }),
    '.nodes[0].weekdays',
  ],
  [
    'a wait without time-out',
    withNode({ type: 'waitForEvent', event: { type: 'store.visited' }, otherwise: null }),
    '.nodes[0].timeout',
  ],
  [
    'one branch',
    withNode({ type: 'split', next: undefined, branches: [{ key: 'a', weight: 1, next: null }] }),
    '.nodes[0].branches',
  ],
  [
    'a weight of 0',
    withNode({
      type: 'split',
      next: undefined,
      branches: [
        { key: 'a', weight: 0, next: null },
        { key: 'b', weight: 1, next: null },
      ],
    }),
    '.nodes[0].branches[0].weight',
  ],
  [
    'a branch without next',
    withNode({
      type: 'split',
      next: undefined,
      branches: [
        { key: 'a', weight: 1 },
        { key: 'b', weight: 1, next: null },
      ],
    }),
    '.nodes[0].branches[0].next',
  ],
  ['a template that is no id', withNode({ type: 'email', templateId: 'x' }), '.nodes[0].templateId'],
  ['a title without text', withNode({ type: 'webPush', title: ' ' }), '.nodes[0].title'],
  ['a title that is no template', withNode({ type: 'webPush', title: '{{ member' }), '.nodes[0].title'],
  ['points of 0', withNode({ type: 'awardPoints', amount: 0, description: 'x' }), '.nodes[0].amount'],
  ['a tag that is none', withNode({ type: 'addTag', tag: '-vip' }), '.nodes[0].tag'],
  ['a next of an exit', withNode({ type: 'exit', next: null }), '.nodes[0].next'],
  ['a forgotten next', { ...aDefinition(), nodes: [wait] }, '.nodes[0].next'],
  ['an unknown event', withEvent({ type: 'member.imagined' }), '.entry.event.type'],
  ['an event about no member', withEvent({ type: 'coupon_pool.low' }), '.entry.event.type'],
  [
    'a field that the event lacks',
    withEvent({ type: 'store.visited', where: { colour: 'red' } }),
    '.entry.event.where.colour',
  ],
  [
    'a field of every object',
    withEvent({ type: 'store.visited', where: { constructor: 'red' } }),
    '.entry.event.where.constructor',
  ],
  [
    'a store that is no id',
    withEvent({ type: 'store.visited', where: { storeId: 'x' } }),
    '.entry.event.where.storeId',
  ],
  [
    'a source that there is not',
    withEvent({ type: 'store.visited', where: { source: ['QR', 'WALL'] } }),
    '.entry.event.where.source[1]',
  ],
  [
    'a number for an id',
    withEvent({ type: 'store.visited', where: { storeId: 5 } }),
    '.entry.event.where.storeId',
  ],
  [
    'an object as a value',
    withEvent({ type: 'store.visited', where: { storeId: {} } }),
    '.entry.event.where.storeId',
  ],
  [
    'an empty list of values',
    withEvent({ type: 'store.visited', where: { source: [] } }),
    '.entry.event.where.source',
  ],
  [
    'a wrong event of an exit',
    aDefinition({ exit: [{ event: { type: 'store.visited' } }, { event: { type: 'x' } }] }),
    '.exit[1].event.type',
  ],
  ['a wrong event of the goal', aDefinition({ goal: { event: { type: 'x' } } }), '.goal.event.type'],
  ['leaving a segment that nobody entered', aDefinition({ leavesWithSegment: true }), '.leavesWithSegment'],
  [
    'a wrong condition',
    aDefinition({ condition: { op: 'and', conditions: [{ field: 'shoe', operator: 'eq' }] } }),
    '.condition.conditions[0].field',
  ],
  [
    'a wrong condition of the goal',
    aDefinition({ goal: { condition: { segment: 'x' } } }),
    '.goal.condition.segment',
  ],
  [
    'a wrong condition of a node',
    withNode({
      type: 'condition',
      condition: { field: 'points_balance', operator: 'like', value: 1 },
      otherwise: null,
    }),
    '.nodes[0].condition.operator',
  ],
  ['text that cannot be stored', withNode({ ...wait, id: 'n', label: 'a\0' }), '.nodes[0].label'],
])('%s is refused by its path', async (_, definition, path) => {
  expect(await faultIn(ctx, definition)).toBe(path);
});
