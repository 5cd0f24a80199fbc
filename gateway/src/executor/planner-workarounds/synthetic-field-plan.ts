import type { FetchNode, PlanNode, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import { changeFetches } from '../codegen/plan-fetches.ts';
import { splitFetch } from './split-fetch.ts';
import type { SyntheticFields } from './synthetic-fields.ts';

/**
 * Converts a plan with synthetic fields to one that subgraphs understand. Subgraphs are asked for the real
 * fields with their arguments, and receive the results under the expected names. Fields that require the same
 * field with different arguments are fetched by separate requests.
 */
export function withoutSyntheticFields<T extends PlanNode | SubscriptionNode>(
  node: T,
  supergraph: Supergraph,
): T {
  if (supergraph.syntheticFields.size === 0) return node;
  return changeFetches(node, (fetch) => replacedFetch(fetch, supergraph));
}

function replacedFetch(node: FetchNode, { syntheticFields, federated }: Supergraph): PlanNode {
  const asked = withCalls(node, syntheticFields);
  const requires = node.requires && underPlainNames(node.requires, syntheticFields);
  if (!requires || requires === node.requires) return asked;
  const subgraph = federated.subgraphs().get(node.serviceName)!;
  const nodes = splitFetch({ ...asked, requires }, subgraph, syntheticFields);
  return nodes.length === 1 ? nodes[0]! : { kind: 'Parallel', nodes };
}

/** Replaces each synthetic field of the fetch by its real field; an alias keeps the name in the plan. */
function withCalls(node: FetchNode, syntheticFields: SyntheticFields): FetchNode {
  if (![...syntheticFields.keys()].some((name) => node.operation.includes(name))) return node;
  const operation = visit(parse(node.operation, { noLocation: true }), {
    Field(field) {
      const syntheticField = syntheticFields.get(field.name.value);
      if (!syntheticField) return undefined;
      const name = { kind: Kind.NAME, value: syntheticField.field } as const;
      return { ...field, alias: field.alias ?? field.name, name, arguments: syntheticField.arguments };
    },
  });
  return { ...node, operation: stripIgnoredCharacters(print(operation)) };
}

/**
 * Returns the selections with each synthetic field as an alias of its real field; the same object if there is
 * none.
 */
function underPlainNames(
  selections: readonly QueryPlanSelectionNode[],
  syntheticFields: SyntheticFields,
): QueryPlanSelectionNode[] {
  const renamed = selections.map((selection): QueryPlanSelectionNode => {
    const inner = selection.selections && underPlainNames(selection.selections, syntheticFields);
    const same = inner === selection.selections;
    if (selection.kind === 'InlineFragment') return same ? selection : { ...selection, selections: inner! };
    const syntheticField = syntheticFields.get(selection.name);
    if (!syntheticField) return same ? selection : { ...selection, selections: inner! };
    return {
      ...selection,
      alias: selection.name,
      name: syntheticField.field,
      ...(inner && { selections: inner }),
    };
  });
  const isSame = renamed.every((selection, index) => selection === selections[index]);
  return isSame ? (selections as QueryPlanSelectionNode[]) : renamed;
}
