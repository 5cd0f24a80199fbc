import type { Subgraph } from '@apollo/federation-internals';
import type { FetchNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import type { SyntheticFields } from './synthetic-fields.ts';

/**
 * Paths of required fields, under the names that the subgraph receives, and the source fields of their
 * values.
 */
type Sources = Map<string, Set<string>>;

/** Fields of entities with compatible requirements, and these requirements. */
interface Group {
  readonly fields: Set<string>;
  readonly sources: Map<string, string>;
}

/**
 * Splits a fetch whose fields require one field with different arguments, because a representation can
 * contain only one of the results. Returns the fetch itself if the arguments agree.
 */
export function splitFetch(
  node: FetchNode,
  subgraph: Subgraph,
  syntheticFields: SyntheticFields,
): FetchNode[] {
  const contested = new Set(
    [...sourcesOf(node.requires!)].filter(([, sources]) => sources.size > 1).map(([path]) => path),
  );
  if (contested.size === 0) return [node];
  const document = parse(node.operation, { noLocation: true });
  const groups: Group[] = [];
  for (const [type, field] of entityFields(document)) {
    const required = requiredBy(subgraph, type, field, syntheticFields);
    const wanted = new Map(
      [...required]
        .filter(([path]) => contested.has(path))
        .map(([path, sources]) => [path, [...sources].sort().join()]),
    );
    const agrees = ({ sources }: Group): boolean =>
      [...wanted].every(([path, source]) => (sources.get(path) ?? source) === source);
    const group = groups.find(agrees) ?? newGroup(groups);
    group.fields.add(`${type}.${field}`);
    for (const [path, source] of wanted) group.sources.set(path, source);
  }
  return groups.length === 1 ? [node] : groups.map((group) => partOf(node, document, group, contested));
}

function newGroup(groups: Group[]): Group {
  const group = { fields: new Set<string>(), sources: new Map<string, string>() };
  groups.push(group);
  return group;
}

function sourcesOf(
  selections: readonly QueryPlanSelectionNode[],
  path = '',
  sources: Sources = new Map(),
): Sources {
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') sourcesOf(selection.selections, path, sources);
    else {
      const at = `${path}.${selection.name}`;
      sources.set(at, (sources.get(at) ?? new Set()).add(selection.alias ?? selection.name));
      if (selection.selections) sourcesOf(selection.selections, at, sources);
    }
  }
  return sources;
}

/** Returns the requirements of a field; synthetic fields are replaced by their real fields. */
function requiredBy(
  subgraph: Subgraph,
  type: string,
  field: string,
  syntheticFields: SyntheticFields,
): Sources {
  const owner = subgraph.schema.type(type);
  const definition =
    owner?.kind === 'ObjectType' || owner?.kind === 'InterfaceType' ? owner.field(field) : undefined;
  const [requires] = definition?.appliedDirectivesOf(subgraph.metadata().requiresDirective()) ?? [];
  const sources: Sources = new Map();
  if (!requires) return sources;
  const path: string[] = [];
  visit(parse(`{ ${requires.arguments().fields} }`, { noLocation: true }), {
    Field: {
      enter({ name: { value } }) {
        path.push(syntheticFields.get(value)?.field ?? value);
        const at = `.${path.join('.')}`;
        sources.set(at, (sources.get(at) ?? new Set()).add(value));
      },
      leave() {
        path.pop();
      },
    },
  });
  return sources;
}

/** Yields type and name of each top-level field of the entities. */
function* entityFields(document: DocumentNode): Generator<readonly [string, string]> {
  const { selectionSet } = operationOf(document);
  for (const root of selectionSet.selections) {
    yield* fieldsIn((root as FieldNode).selectionSet!, '', document);
  }
}

function* fieldsIn(
  set: SelectionSetNode,
  type: string,
  document: DocumentNode,
): Generator<readonly [string, string]> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield [type, selection.name.value];
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      yield* fieldsIn(selection.selectionSet, selection.typeCondition?.name.value ?? type, document);
    }
  }
}

const operationOf = ({ definitions }: DocumentNode): OperationDefinitionNode =>
  definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!;

function partOf(
  node: FetchNode,
  document: DocumentNode,
  { fields, sources }: Group,
  contested: ReadonlySet<string>,
): FetchNode {
  const operation = operationOf(document);
  const [root] = operation.selectionSet.selections as readonly [FieldNode];
  const kept = keep(root.selectionSet!, '', fields)!;
  const selections = [{ ...root, selectionSet: kept }];
  const part = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const used = new Set<string>();
  visit(part.selectionSet, { Variable: ({ name }) => void used.add(name.value) });
  const variableDefinitions = part.variableDefinitions?.filter(({ variable }) =>
    used.has(variable.name.value),
  );
  const definitions = document.definitions.map((each) =>
    each === operation ? { ...part, ...(variableDefinitions && { variableDefinitions }) } : each,
  );
  return {
    ...node,
    requires: narrowed(node.requires!, '', sources, contested),
    ...(node.variableUsages && { variableUsages: node.variableUsages.filter((name) => used.has(name)) }),
    operation: stripIgnoredCharacters(print({ ...document, definitions })),
  };
}

function keep(set: SelectionSetNode, type: string, fields: ReadonlySet<string>): SelectionSetNode | null {
  const selections = set.selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD)
      return fields.has(`${type}.${selection.name.value}`) ? [selection] : [];
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection];
    const inner = keep(selection.selectionSet, selection.typeCondition?.name.value ?? type, fields);
    return inner ? [{ ...selection, selectionSet: inner }] : [];
  });
  return selections.length > 0 ? { ...set, selections } : null;
}

/** Returns the requirements with only the chosen source of each ambiguous field. */
function narrowed(
  selections: readonly QueryPlanSelectionNode[],
  path: string,
  sources: ReadonlyMap<string, string>,
  contested: ReadonlySet<string>,
): QueryPlanSelectionNode[] {
  return selections.flatMap((selection): QueryPlanSelectionNode[] => {
    const at = selection.kind === 'Field' ? `${path}.${selection.name}` : path;
    if (selection.kind === 'Field' && contested.has(at)) {
      const wanted = sources.get(at)?.split(',') ?? [];
      if (!wanted.includes(selection.alias ?? selection.name)) return [];
    }
    if (!selection.selections) return [selection];
    const inner = narrowed(selection.selections, at, sources, contested);
    return inner.length > 0 ? [{ ...selection, selections: inner }] : [];
  });
}
