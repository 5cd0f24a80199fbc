import type { PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { pathOfBoth } from '../codegen/plan-path.ts';

/**
 * Joins parallel fetches that request the same fields of entities of different types in a union or an
 * interface. The planner makes one request per type.
 */
export function withFetchesJoined<T extends PlanNode | SubscriptionNode>(node: T): T {
  if (node.kind !== 'Subscription') return joined(node) as T;
  return { ...node, ...(node.rest && { rest: joined(node.rest) }) };
}

function joined(node: PlanNode): PlanNode {
  switch (node.kind) {
    case 'Sequence':
      return { ...node, nodes: node.nodes.map(joined) };
    case 'Parallel': {
      const nodes = node.nodes.map(joined).reduce<PlanNode[]>(withNode, []);
      return nodes.length === 1 ? nodes[0]! : { ...node, nodes };
    }
    case 'Condition': {
      const { ifClause, elseClause } = node;
      return {
        ...node,
        ...(ifClause && { ifClause: joined(ifClause) }),
        ...(elseClause && { elseClause: joined(elseClause) }),
      };
    }
    default:
      return node;
  }
}

function withNode(nodes: readonly PlanNode[], added: PlanNode): PlanNode[] {
  for (const [index, node] of nodes.entries()) {
    const both = nodeOfBoth(node, added);
    if (both) return nodes.with(index, both);
  }
  return [...nodes, added];
}

/** Returns one node in place of two; null if they cannot be joined. */
function nodeOfBoth(a: PlanNode, b: PlanNode): PlanNode | null {
  if (a.kind === 'Flatten' && b.kind === 'Flatten') {
    const path = JSON.stringify(a.node) === JSON.stringify(b.node) && pathOfBoth(a.path, b.path);
    return path ? { ...a, path: [...path] } : null;
  }
  if (a.kind !== 'Sequence' || b.kind !== 'Sequence' || a.nodes.length !== b.nodes.length) return null;
  const nodes = a.nodes.map((node, index) => nodeOfBoth(node, b.nodes[index]!));
  return nodes.every((node) => node !== null) ? { ...a, nodes } : null;
}
