import type { FetchNode, PlanNode, SubscriptionNode } from '@apollo/query-planner';
import {
  type DocumentNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
  validate,
  visit,
} from 'graphql';
import type { Supergraph } from '../supergraph.ts';
import { collectFields, type Fragments, type GuardedSelections } from './collect.ts';
import { type LocalSelections, localSelections, onType } from './local-selections.ts';
import { responseNameOf } from './names.ts';
import { changeFetches } from './plan-fetches.ts';
import { typesWithin } from './types.ts';

/** What the client asked, under private names. */
interface Asked {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}

type Sets = readonly GuardedSelections[];

/**
 * Adds what the planner leaves out where subgraphs resolve one field to different sets of types: fields of
 * types that the asked subgraph knows and another lacks. They would be null although nobody was asked.
 */
export function withEveryMember<T extends PlanNode | SubscriptionNode>(
  node: T,
  asked: Asked,
  supergraph: Supergraph,
): T {
  if (supergraph.partialFields.size === 0) return node;
  return changeFetches(node, (fetch, path) => {
    let sets: Sets = [{ guard: [], selections: asked.operation.selectionSet }];
    for (const name of path) sets = setsOf(sets, name, asked.fragments);
    return completeFetch(fetch, sets, asked, supergraph);
  });
}

/** What is selected of a field, whatever the type that it belongs to. */
function setsOf(sets: Sets, responseName: string, fragments: Fragments): Sets {
  const fields = collectFields(sets, fragments, () => true);
  return fields.find((field) => field.responseName === responseName)?.selections ?? [];
}

function completeFetch(fetch: FetchNode, sets: Sets, asked: Asked, supergraph: Supergraph): FetchNode {
  const { federated, fullSchema, partialFields } = supergraph;
  const document = parse(fetch.operation, { noLocation: true });
  const names = new Set([...partialFields].map((field) => field.slice(field.indexOf('.') + 1)));
  let isPartial = false;
  visit(document, {
    Field({ name }) {
      isPartial ||= names.has(name.value);
    },
  });
  if (!isPartial) return fetch;
  const subgraph = federated.subgraphs().get(fetch.serviceName)!;
  const local = localSelections(subgraph, fullSchema, asked.fragments);
  const completed = completeDocument(document, sets, asked, {
    local,
    partialFields,
    asked: asked.fragments,
  });
  // A conflict between types makes the planner rename fields; that is left as it is.
  if (completed === document || validate(local.schema, completed).length > 0) return fetch;
  const { variableDefinitions = [] } = operationOf(completed);
  const variableUsages = variableDefinitions
    .map(({ variable }) => variable.name.value)
    .filter((name) => !fetch.requires || name !== 'representations');
  return { ...fetch, variableUsages, operation: stripIgnoredCharacters(print(completed)) };
}

const operationOf = ({ definitions }: DocumentNode): OperationDefinitionNode =>
  definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!;

/** Fetches are written without fragments by name. */
const NONE: Fragments = new Map();

interface Completion {
  readonly local: LocalSelections;
  readonly partialFields: ReadonlySet<string>;
  readonly asked: Fragments;
}

function completeDocument(
  document: DocumentNode,
  sets: Sets,
  asked: Asked,
  completion: Completion,
): DocumentNode {
  const operation = operationOf(document);
  const root = completion.local.schema.getRootType(operation.operation)!;
  const selectionSet = complete(operation.selectionSet, root, sets, completion);
  if (selectionSet === operation.selectionSet) return document;
  const used = new Set<string>();
  visit(selectionSet, { Variable: ({ name }) => void used.add(name.value) });
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const added = asked.operation.variableDefinitions?.filter(
    ({ variable: { name } }) => used.has(name.value) && !declared.has(name.value),
  );
  const variableDefinitions = [...(operation.variableDefinitions ?? []), ...(added ?? [])];
  const completed = { ...operation, selectionSet, variableDefinitions };
  return {
    ...document,
    definitions: document.definitions.map((each) => (each === operation ? completed : each)),
  };
}

/** Follows a fetch and what the client asked side by side; the same set where nothing is left out. */
function complete(
  set: SelectionSetNode,
  type: GraphQLCompositeType,
  sets: Sets,
  completion: Completion,
): SelectionSetNode {
  const { schema } = completion.local;
  const selections = set.selections.map((selection): SelectionNode => {
    if (selection.kind === Kind.FRAGMENT_SPREAD || !selection.selectionSet) return selection;
    let selectionSet: SelectionSetNode;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value ?? type.name;
      const inner = schema.getType(condition) as GraphQLCompositeType;
      selectionSet = complete(selection.selectionSet, inner, sets, completion);
    } else {
      const field = isUnionType(type) ? undefined : type.getFields()[selection.name.value];
      const inner = field && getNamedType(field.type);
      if (!isCompositeType(inner)) return selection;
      // What is asked of entities is merged into what the path of the fetch leads to.
      const isEntities = selection.name.value === '_entities';
      const innerSets = isEntities ? sets : setsOf(sets, responseNameOf(selection), completion.asked);
      selectionSet = complete(selection.selectionSet, inner, innerSets, completion);
      if (isAbstractType(inner) && completion.partialFields.has(`${type.name}.${selection.name.value}`)) {
        selectionSet = withMembers(selectionSet, inner, innerSets, completion);
      }
    }
    return selectionSet === selection.selectionSet ? selection : { ...selection, selectionSet };
  });
  const isSame = selections.every((selection, index) => selection === set.selections[index]);
  return isSame ? set : { ...set, selections };
}

function withMembers(
  set: SelectionSetNode,
  type: GraphQLAbstractType,
  sets: Sets,
  { local }: Completion,
): SelectionSetNode {
  const added = local.schema.getPossibleTypes(type).flatMap((member): SelectionNode[] => {
    const known = collectFields([{ guard: [], selections: set }], NONE, (condition) =>
      typesWithin(local.schema, condition).has(member.name),
    );
    const missing = local
      .collect(sets, member.name)
      .filter(({ responseName }) => !known.some((field) => field.responseName === responseName))
      .flatMap((field) => local.select(member, field) ?? []);
    return missing.length > 0 ? [onType(member.name, missing)] : [];
  });
  return added.length > 0 ? { ...set, selections: [...set.selections, ...added] } : set;
}
