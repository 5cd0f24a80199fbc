import { baseType, type NamedType, type Subgraph } from '@apollo/federation-internals';
import { type FetchNode, type QueryPlanSelectionNode, trimSelectionNodes } from '@apollo/query-planner';
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
  visit,
} from 'graphql';
import { responseNameOf } from '../codegen/names.ts';
import { TYPENAME } from '../codegen/resolved-conditions.ts';

/** A field that a fetch requests too early, and a fetch that requests it together with its requirements. */
export interface EarlyField {
  /** Names that lead to its value. */
  readonly path: readonly string[];
  readonly fetch: FetchNode;
}

interface Place {
  readonly type: NamedType;
  readonly path: readonly string[];
  /** Fields of the object that the subgraph knows. */
  readonly known: ReadonlySet<string>;
}

interface Search {
  readonly fetch: FetchNode;
  readonly document: DocumentNode;
  readonly subgraph: Subgraph;
  readonly found: EarlyField[];
}

/**
 * Removes fields from a fetch whose requirements it does not send.
 *
 * @param path - names that lead to the object into which its answer is merged
 */
export function withoutEarlyFields(
  fetch: FetchNode,
  path: readonly string[],
  subgraph: Subgraph,
): { fetch: FetchNode; found: EarlyField[] } {
  const document = parse(fetch.operation, { noLocation: true });
  const operation = operationOf(document);
  const type = subgraph.schema.schemaDefinition.rootType(operation.operation)!;
  const found: EarlyField[] = [];
  const search = { fetch, document, subgraph, found };
  const selectionSet = late(operation.selectionSet, { type, path, known: new Set() }, search);
  if (found.length === 0) return { fetch, found };
  const used = variablesIn(selectionSet);
  const variableDefinitions = operation.variableDefinitions?.filter(({ variable }) =>
    used.has(variable.name.value),
  );
  const left = { ...operation, selectionSet, ...(variableDefinitions && { variableDefinitions }) };
  const definitions = document.definitions.map((each) => (each === operation ? left : each));
  const variableUsages = fetch.variableUsages?.filter((name) => used.has(name));
  return {
    fetch: {
      ...fetch,
      ...(variableUsages && { variableUsages }),
      operation: stripIgnoredCharacters(print({ ...document, definitions })),
    },
    found,
  };
}

const operationOf = ({ definitions }: DocumentNode): OperationDefinitionNode =>
  definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION)!;

function late(set: SelectionSetNode, place: Place, search: Search): SelectionSetNode {
  const selections = set.selections.flatMap((selection): SelectionNode[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value;
      const type = condition ? search.subgraph.schema.type(condition)! : place.type;
      return [{ ...selection, selectionSet: late(selection.selectionSet, { ...place, type }, search) }];
    }
    const early = earlyField(selection, place, search);
    if (early) {
      search.found.push(early.field);
      return early.instead;
    }
    return [selection.selectionSet ? within(selection, selection.selectionSet, place, search) : selection];
  });
  return { ...set, selections };
}

function within(field: FieldNode, set: SelectionSetNode, { type, path }: Place, search: Search): FieldNode {
  const name = field.name.value;
  const isEntities = name === '_entities';
  const definition = 'field' in type ? type.field(name) : undefined;
  if (!definition) return field;
  const known = isEntities ? namesRequired(search.fetch.requires ?? []) : namesSelected(set);
  const place = {
    type: baseType(definition.type!) as NamedType,
    path: isEntities ? path : [...path, responseNameOf(field)],
    known,
  };
  return { ...field, selectionSet: late(set, place, search) };
}

/** Returns names of top-level fields, for all types. */
const namesRequired = (selections: readonly QueryPlanSelectionNode[]): Set<string> =>
  new Set(
    selections.flatMap((each) => (each.kind === 'Field' ? [each.name] : [...namesRequired(each.selections)])),
  );

const namesSelected = ({ selections }: SelectionSetNode): Set<string> =>
  new Set(
    selections.flatMap((each) => {
      if (each.kind === Kind.FIELD) return [each.name.value];
      return each.kind === Kind.INLINE_FRAGMENT ? [...namesSelected(each.selectionSet)] : [];
    }),
  );

function earlyField(
  node: FieldNode,
  { type, path, known }: Place,
  { fetch, document, subgraph }: Search,
): { field: EarlyField; instead: SelectionNode[] } | null {
  if (type.kind !== 'ObjectType') return null;
  const metadata = subgraph.metadata();
  const [requires] = type.field(node.name.value)?.appliedDirectivesOf(metadata.requiresDirective()) ?? [];
  if (!requires) return null;
  const required = selectionsOf(requires.arguments().fields);
  if (required.every((each) => each.kind !== Kind.FIELD || known.has(each.name.value))) return null;
  const keys = type.appliedDirectivesOf(metadata.keyDirective()).map((key) => key.arguments());
  const key = keys.find(({ resolvable }) => resolvable !== false);
  if (!key) throw new Error(`Nothing leads back to ${type.name}.${node.name.value} for what it requires.`);
  const instead = [TYPENAME, ...selectionsOf(key.fields)];
  const conditions = trimSelectionNodes([...instead, ...required]);
  return {
    instead,
    field: {
      path: [...path, responseNameOf(node)],
      fetch: {
        kind: 'Fetch',
        serviceName: fetch.serviceName,
        operationKind: OperationTypeNode.QUERY,
        operationName: undefined,
        ...entityOperation(type.name, node, operationOf(document)),
        requires: [{ kind: 'InlineFragment', typeCondition: type.name, selections: conditions }],
        inputRewrites: [
          { kind: 'ValueSetter', path: [`... on ${type.name}`, '__typename'], setValueTo: type.name },
        ],
      },
    },
  };
}

function entityOperation(
  type: string,
  field: FieldNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Pick<FetchNode, 'operation' | 'variableUsages'> {
  const used = variablesIn(field);
  const definitions = variableDefinitions.filter(({ variable }) => used.has(variable.name.value));
  const variables = ['$representations:[_Any!]!', ...definitions.map(print)].join();
  const selections = `...on ${type}{${print(field)}}`;
  const text = `query(${variables}){_entities(representations:$representations){${selections}}}`;
  return { operation: stripIgnoredCharacters(text), variableUsages: [...used] };
}

function selectionsOf(fields: string): readonly SelectionNode[] {
  return operationOf(parse(`{ ${fields} }`, { noLocation: true })).selectionSet.selections;
}

function variablesIn(node: ASTNode): Set<string> {
  const names = new Set<string>();
  visit(node, { Variable: ({ name }) => void names.add(name.value) });
  return names;
}
