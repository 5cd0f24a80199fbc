import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { graphFault } from './graph-faults.ts';
import type { JourneyNode } from './journey-definition.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];
const condition = { op: 'and', conditions: [] } as const;
const event = { type: 'store.visited' };

/** Mostly the name of an existing node. */
const target = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('nowhere') },
);
const days = fc.integer({ min: 1, max: 300 });

const nodeOf = (id: string): fc.Arbitrary<JourneyNode> =>
  fc.oneof(
    fc.record({ id: fc.constant(id), type: fc.constant('delay' as const), days, next: target }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('addTag' as const),
      tag: fc.constant('x'),
      next: target,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('waitForEvent' as const),
      event: fc.constant(event),
      timeout: fc.record({ days }),
      next: target,
      otherwise: target,
    }),
    fc.record({
      id: fc.constant(id),
      type: fc.constant('condition' as const),
      condition: fc.constant(condition),
      next: target,
      otherwise: target,
    }),
    fc.tuple(target, target).map(([one, other]) => ({
      id,
      type: 'split' as const,
      branches: [
        { key: 'x', weight: 1, next: one },
        { key: 'y', weight: 1, next: other },
      ],
    })),
    fc.record({ id: fc.constant(id), type: fc.constant('exit' as const) }),
  );

/** Most graphs are reduced to the reachable nodes, because otherwise few of them would be valid. */
const graph = fc
  .record({
    size: fc.integer({ min: 1, max: NAMES.length }),
    start: fc.constantFrom('a', 'a', 'a', 'b'),
    isCut: fc.constantFrom(true, true, false),
  })
  .chain(({ size, start, isCut }) =>
    fc.tuple(...NAMES.slice(0, size).map(nodeOf)).map((all) => {
      const nodes = all.map((node) => JSON.parse(JSON.stringify(node)) as JourneyNode);
      return {
        start,
        nodes: isCut ? nodes.filter(({ id }) => pathsFrom(start, nodes).flat().includes(id)) : nodes,
      };
    }),
  );

const targetsOf = (node: JourneyNode): string[] => {
  const all = 'branches' in node ? node.branches.map(({ next }) => next) : [];
  if ('next' in node) all.push(node.next);
  if ('otherwise' in node) all.push(node.otherwise);
  return all.flatMap((each) => each ?? []);
};

/** Returns all paths without repetition that begin at a node. */
function pathsFrom(start: string, nodes: readonly JourneyNode[], path: readonly string[] = []): string[][] {
  const node = nodes.find(({ id }) => id === start);
  if (!node || path.includes(start)) return [[...path]];
  const ways = targetsOf(node).flatMap((next) => pathsFrom(next, nodes, [...path, start]));
  return ways.length > 0 ? ways : [[...path, start]];
}

const isWait = ({ type }: JourneyNode) => ['delay', 'delayUntil', 'waitForEvent'].includes(type);
const daysOf = (node: JourneyNode): number => {
  if (node.type === 'delay') return node.days ?? 0;
  return node.type === 'waitForEvent' ? (node.timeout.days ?? 0) : 0;
};

/** The rules in a simple form, without regard to cost. */
function isGood({ start, nodes }: { start: string; nodes: readonly JourneyNode[] }): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  if (!byId.has(start) || nodes.some((node) => targetsOf(node).some((to) => !byId.has(to)))) return false;
  const reached = new Set(pathsFrom(start, nodes).flat());
  if (nodes.some(({ id }) => !reached.has(id))) return false;
  const acting = nodes.filter((node) => !isWait(node));
  const returns = (id: string) =>
    pathsFrom(id, acting).some((path) => targetsOf(byId.get(path.at(-1)!)!).includes(id));
  if (acting.some(({ id }) => returns(id))) return false;
  const reaches = (from: string, to: string) => pathsFrom(from, nodes).flat().includes(to);
  const loopOf = (id: string) => nodes.filter((other) => reaches(id, other.id) && reaches(other.id, id));
  // The duration of a path: its nodes, and the nodes of the loops that it touches.
  const daysOfWay = (path: readonly string[]) => {
    const passed = new Set(path.flatMap((id) => loopOf(id)));
    return [...passed].reduce((sum, node) => sum + daysOf(node), 0);
  };
  return pathsFrom(start, nodes).every((path) => daysOfWay(path) <= 730);
}

test('a random graph is accepted if and only if a plain check of the rules accepts it', () => {
  const seen = { good: 0, bad: 0 };
  fc.assert(
    fc.property(graph, (each) => {
      if (each.nodes.length === 0) return;
      const expected = isGood(each);
      seen[expected ? 'good' : 'bad'] += 1;
      expect([graphFault(each)?.path ?? null, each]).toEqual([expected ? null : expect.any(String), each]);
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.good, seen.bad)).toBeGreaterThan(200);
});
