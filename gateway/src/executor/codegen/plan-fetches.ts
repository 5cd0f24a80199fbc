import type { FetchNode, PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { namesIn } from './plan-path.ts';

/** Replaces a fetch; `path` contains the names that lead to the object into which its answer is merged. */
export type ChangeFetch = (fetch: FetchNode, path: readonly string[]) => PlanNode;

/** Replaces every fetch of the plan. The fetch that starts a subscription must stay a fetch. */
export function changeFetches<T extends PlanNode | SubscriptionNode>(node: T, change: ChangeFetch): T {
  return changed(node, change, []) as T;
}

function changed(
  node: PlanNode | SubscriptionNode,
  change: ChangeFetch,
  path: readonly string[],
): PlanNode | SubscriptionNode {
  const within = (inner: PlanNode): PlanNode => changed(inner, change, path) as PlanNode;
  switch (node.kind) {
    case 'Fetch':
      return change(node, path);
    case 'Flatten': {
      const inner = changed(node.node, change, [...path, ...namesIn(node.path)]) as PlanNode;
      return { ...node, node: inner };
    }
    case 'Sequence':
    case 'Parallel':
      return { ...node, nodes: node.nodes.map(within) };
    case 'Condition': {
      const { ifClause, elseClause } = node;
      return {
        ...node,
        ...(ifClause && { ifClause: within(ifClause) }),
        ...(elseClause && { elseClause: within(elseClause) }),
      };
    }
    case 'Subscription': {
      const primary = change(node.primary, path) as FetchNode;
      return { ...node, primary, ...(node.rest && { rest: within(node.rest) }) };
    }
    case 'Defer':
      return node;
  }
}
