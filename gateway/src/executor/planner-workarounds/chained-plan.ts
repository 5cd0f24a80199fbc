import type { PlanNode, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import { changeFetches } from '../codegen/plan-fetches.ts';
import { namesIn } from '../codegen/plan-path.ts';
import { type EarlyField, withoutEarlyFields } from './early-fields.ts';

/**
 * A workaround for a chain of @requires that returns to a subgraph: the planner requests a field of that
 * subgraph at its first visit, before the field's requirements are known. This function moves the fetch of
 * such a field to the place right before it is needed.
 *
 * @throws Error if no fetch of the plan needs such a field
 */
export function withChainsInOrder<T extends PlanNode | SubscriptionNode>(node: T, supergraph: Supergraph): T {
  const { chainedFields, federated } = supergraph;
  if (chainedFields.size === 0) return node;
  const early: EarlyField[] = [];
  const left = changeFetches(node, (fetch, path) => {
    if (![...chainedFields].some((name) => fetch.operation.includes(name))) return fetch;
    const subgraph = federated.subgraphs().get(fetch.serviceName)!;
    const parted = withoutEarlyFields(fetch, path, subgraph);
    early.push(...parted.found);
    return parted.fetch;
  });
  return inNeedOrder(early).reduce<PlanNode | SubscriptionNode>(inserted, left) as T;
}

/**
 * Sorts fields by need. A field that requires another early field comes first, because each is inserted
 * before the previous ones.
 */
function inNeedOrder(fields: readonly EarlyField[]): EarlyField[] {
  const rest = [...fields];
  const ordered: EarlyField[] = [];
  while (rest.length > 0) {
    const free = rest.findIndex(
      (field) => !rest.some((other) => other !== field && needs(asPlan(other), field)),
    );
    ordered.push(...rest.splice(Math.max(free, 0), 1));
  }
  return ordered;
}

const asPlan = ({ path, fetch }: EarlyField): PlanNode => ({
  kind: 'Flatten',
  path: [...path.slice(0, -1)],
  node: fetch,
});

function inserted(plan: PlanNode | SubscriptionNode, field: EarlyField): PlanNode | SubscriptionNode {
  const start = plan.kind === 'Subscription' ? plan.rest : plan;
  if (!start || !needs(start, field)) throw new Error(`The plan asks too early for ${field.path.join('.')}.`);
  const corrected = insert(start, field) ?? before(start, field);
  return plan.kind === 'Subscription' ? { ...plan, rest: corrected } : corrected;
}

const before = (node: PlanNode, field: EarlyField): PlanNode => ({
  kind: 'Sequence',
  nodes: [asPlan(field), node],
});

/** Inserts the fetch of the field right before it is needed; returns null if that is at the node's start. */
function insert(node: PlanNode, field: EarlyField): PlanNode | null {
  switch (node.kind) {
    case 'Sequence': {
      const index = node.nodes.findIndex((each) => needs(each, field));
      const at = insert(node.nodes[index]!, field);
      if (at) return { ...node, nodes: node.nodes.with(index, at) };
      return index === 0 ? null : { ...node, nodes: node.nodes.toSpliced(index, 0, asPlan(field)) };
    }
    case 'Parallel': {
      const [first, ...others] = node.nodes.filter((each) => needs(each, field));
      if (!first || others.length > 0) return null;
      const at = insert(first, field) ?? before(first, field);
      return { ...node, nodes: node.nodes.with(node.nodes.indexOf(first), at) };
    }
    case 'Condition': {
      const at = node.ifClause && needs(node.ifClause, field) && insert(node.ifClause, field);
      return at ? { ...node, ifClause: at } : null;
    }
    default:
      return null;
  }
}

/** Returns whether a part of a plan requires the value of the field. */
function needs(node: PlanNode, field: EarlyField, path: readonly string[] = []): boolean {
  switch (node.kind) {
    case 'Fetch':
      return pathsOf(node.requires ?? [], path.join('.')).has(field.path.join('.'));
    case 'Flatten':
      return needs(node.node, field, [...path, ...namesIn(node.path)]);
    case 'Sequence':
    case 'Parallel':
      return node.nodes.some((each) => needs(each, field, path));
    case 'Condition':
      return [node.ifClause, node.elseClause].some((clause) => clause && needs(clause, field, path));
    case 'Defer':
      return false;
  }
}

function pathsOf(selections: readonly QueryPlanSelectionNode[], path: string): Set<string> {
  const paths = new Set<string>();
  for (const selection of selections) {
    const at = selection.kind === 'Field' ? `${path}.${selection.name}` : path;
    if (selection.kind === 'Field') paths.add(at);
    for (const inner of pathsOf(selection.selections ?? [], at)) paths.add(inner);
  }
  return paths;
}
