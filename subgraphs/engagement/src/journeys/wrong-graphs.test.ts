import { expect, test } from '@jest/globals';
import { useServices } from '@loyalty/test/harness/services';
import { aDefinition, faultIn, inARow } from './journeys.fixture.ts';

const { ctx } = useServices({ isWorkspaceShared: true });

const wait = { id: 'wait', type: 'delay', days: 1 };

test.each([
  ['an id that comes twice', inARow([wait, wait]), '.nodes[1].id'],
  ['a start that there is not', aDefinition({ start: 'x' }), '.start'],
  ['a next that there is not', [{ ...wait, next: 'x' }], '.nodes[0].next'],
  [
    'an otherwise that there is not',
    [{ id: 'c', type: 'condition', condition: { op: 'and', conditions: [] }, next: null, otherwise: 'x' }],
    '.nodes[0].otherwise',
  ],
  [
    'a branch that leads nowhere',
    [
      {
        id: 's',
        type: 'split',
        branches: [
          { key: 'a', weight: 1, next: null },
          { key: 'b', weight: 1, next: 'x' },
        ],
      },
    ],
    '.nodes[0].branches[1].next',
  ],
  [
    'a branch that comes twice',
    [
      {
        id: 's',
        type: 'split',
        branches: [
          { key: 'a', weight: 1, next: null },
          { key: 'a', weight: 1, next: null },
        ],
      },
    ],
    '.nodes[0].branches[1].key',
  ],
  [
    'a node that nobody reaches',
    [
      { ...wait, next: null },
      { ...wait, id: 'b', next: 'wait' },
    ],
    '.nodes[1]',
  ],
  ['a node that leads to itself', [{ id: 'a', type: 'addTag', tag: 'x', next: 'a' }], '.nodes[0].next'],
  [
    'a loop without a wait',
    [
      { ...wait, next: 'a' },
      { id: 'a', type: 'addTag', tag: 'x', next: 'b' },
      { id: 'b', type: 'removeTag', tag: 'x', next: 'a' },
    ],
    '.nodes[2].next',
  ],
  [
    'three years',
    inARow([
      { ...wait, days: 400 },
      { ...wait, id: 'b', days: 331 },
    ]),
    '.nodes',
  ],
])('a graph with %s is refused by its path', async (_, nodes, path) => {
  const definition = Array.isArray(nodes) ? aDefinition({ nodes: nodes as never }) : nodes;
  expect(await faultIn(ctx, definition)).toBe(path);
});

test('a loop with a wait on it and a journey of two years are accepted', async () => {
  const loop = [
    { ...wait, next: 'tag' },
    { id: 'tag', type: 'addTag', tag: 'x', next: 'wait' },
  ];
  expect(await faultIn(ctx, aDefinition({ nodes: loop as never }))).toBeNull();
  expect(await faultIn(ctx, aDefinition({ nodes: inARow([{ ...wait, days: 730 }]) }))).toBeNull();
});
