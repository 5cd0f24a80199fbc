import type { FetchNode, PlanNode, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import { changeFetches } from '../compiled/codegen/plan-fetches.ts';
import type { Supergraph } from '../supergraph/supergraph.ts';
import { splitFetch } from './split-fetch.ts';
import type { StandIns } from './synthetic-fields.ts';

/**
 * Turns a plan that was made with stand-ins into one that subgraphs understand: they are asked for the calls
 * that are meant, and told of the results under the names that they expect. What needs the same field with
 * different arguments goes in requests of its own.
 */
export function withoutStandIns<T extends PlanNode | SubscriptionNode>(node: T, supergraph: Supergraph): T {
  if (supergraph.standIns.size === 0) return node;
  return changeFetches(node, (fetch) => replacedFetch(fetch, supergraph));
}

function replacedFetch(node: FetchNode, { standIns, federated }: Supergraph): PlanNode {
  const asked = withCalls(node, standIns);
  const requires = node.requires && underPlainNames(node.requires, standIns);
  if (!requires || requires === node.requires) return asked;
  const subgraph = federated.subgraphs().get(node.serviceName)!;
  const nodes = splitFetch({ ...asked, requires }, subgraph, standIns);
  return nodes.length === 1 ? nodes[0]! : { kind: 'Parallel', nodes };
}

/** The fetch, asking for calls in place of their stand-ins: an alias keeps the name that the plan knows. */
function withCalls(node: FetchNode, standIns: StandIns): FetchNode {
  if (![...standIns.keys()].some((name) => node.operation.includes(name))) return node;
  const operation = visit(parse(node.operation, { noLocation: true }), {
    Field(field) {
      const standIn = standIns.get(field.name.value);
      if (!standIn) return undefined;
      const name = { kind: Kind.NAME, value: standIn.field } as const;
      return { ...field, alias: field.alias ?? field.name, name, arguments: standIn.arguments };
    },
  });
  return { ...node, operation: stripIgnoredCharacters(print(operation)) };
}

/** The same selections where they hold no stand-in; otherwise each is an alias of the field it stands for. */
function underPlainNames(
  selections: readonly QueryPlanSelectionNode[],
  standIns: StandIns,
): QueryPlanSelectionNode[] {
  const renamed = selections.map((selection): QueryPlanSelectionNode => {
    const inner = selection.selections && underPlainNames(selection.selections, standIns);
    const same = inner === selection.selections;
    if (selection.kind === 'InlineFragment') return same ? selection : { ...selection, selections: inner! };
    const standIn = standIns.get(selection.name);
    if (!standIn) return same ? selection : { ...selection, selections: inner! };
    return { ...selection, alias: selection.name, name: standIn.field, ...(inner && { selections: inner }) };
  });
  const isSame = renamed.every((selection, index) => selection === selections[index]);
  return isSame ? (selections as QueryPlanSelectionNode[]) : renamed;
}
