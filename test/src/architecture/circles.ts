/** A directed graph: for every node, the nodes that it reaches in one step. */
export type Edges = ReadonlyMap<string, ReadonlySet<string>>;

/** A group of nodes that all reach each other. */
export interface Group {
  readonly members: readonly string[];
  /** One of the shortest circles in the group. Its first node is not repeated at the end. */
  readonly circle: readonly string[];
}

/** Finds every group that has a circle; each group is as large as possible. */
export function groupsWithCircles(edges: Edges): Group[] {
  const reached = new Map([...edges.keys()].map((node) => [node, reachedFrom(node, edges)]));
  const groups: Group[] = [];
  const seen = new Set<string>();
  for (const node of [...edges.keys()].sort()) {
    if (seen.has(node) || !reached.get(node)?.has(node)) continue;
    const members = [...(reached.get(node) ?? [])].filter((other) => reached.get(other)?.has(node)).sort();
    for (const member of members) seen.add(member);
    const [circle = []] = members
      .map((start) => circleThrough(start, edges))
      .sort((one, other) => one.length - other.length);
    groups.push({ members, circle });
  }
  return groups;
}

/** All nodes that can be reached from `start`; `start` itself is among them when a path leads back to it. */
function reachedFrom(start: string, edges: Edges): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of edges.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** The shortest path from a node back to itself; empty if there is none. */
function circleThrough(start: string, edges: Edges): string[] {
  const before = new Map<string, string>();
  const open = [start];
  for (const node of open) {
    for (const next of edges.get(node) ?? []) {
      if (next === start) return wayTo(node, before);
      if (before.has(next)) continue;
      before.set(next, node);
      open.push(next);
    }
  }
  return [];
}

function wayTo(end: string, before: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let node = before.get(end); node !== undefined; node = before.get(node)) way.unshift(node);
  return way;
}
