import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Guard, guardOf } from './conditions.ts';

/** The demand of a field, and the response names that lead to the first such field. */
export interface Demanded<Demand> {
  readonly demand: Demand;
  readonly path: readonly string[];
}

/**
 * Returns the demands of an operation with these variables; selections without effect (@include, @skip)
 * demand nothing.
 */
export type Demands<Demand> = (variables: Readonly<Record<string, unknown>>) => readonly Demanded<Demand>[];

interface Guarded<Demand> extends Demanded<Demand> {
  readonly guard: Guard;
}

interface Walk<Demand> {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly demandOf: (type: string, field: string) => Demand | undefined;
  /** Demands in document order: each once for every guard, and none after an occurrence without a guard. */
  readonly found: Guarded<Demand>[];
  /** Visited selection sets, by type and guard. */
  readonly walked: WeakMap<SelectionSetNode, Set<string>>;
}

/**
 * Collects the demands of the fields of a valid operation, in document order. The document is walked once;
 * per request, only the values of condition variables are read.
 *
 * @param demandOf - returns the demand of a type's field; equal demands must be one object, so that
 *   duplicates are recognized
 */
export function demandsOf<Demand>(
  document: DocumentNode,
  operationName: string | null | undefined,
  schema: GraphQLSchema,
  demandOf: (type: string, field: string) => Demand | undefined,
): Demands<Demand> {
  const operation = getOperationAST(document, operationName)!;
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const walk: Walk<Demand> = {
    schema,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    demandOf,
    found: [],
    walked: new WeakMap(),
  };
  // An operation kind that the schema lacks demands nothing; it is refused elsewhere.
  const root = schema.getRootType(operation.operation);
  if (root) walkSelections(walk, operation.selectionSet, root, [], []);
  const { found } = walk;
  if (found.every(({ guard }) => guard.length === 0)) return () => found;
  const defaults = defaultsOf(operation);
  return (variables) => firstOfEach(found.filter(({ guard }) => holds(guard, variables, defaults)));
}

function firstOfEach<Demand>(asked: readonly Guarded<Demand>[]): Demanded<Demand>[] {
  const seen = new Set<Demand>();
  return asked.filter(({ demand }) => !seen.has(demand) && seen.add(demand));
}

function walkSelections<Demand>(
  walk: Walk<Demand>,
  set: SelectionSetNode,
  parent: GraphQLNamedType,
  path: readonly string[],
  outer: Guard,
): void {
  if (isWalked(walk, set, parent, outer)) return;
  for (const selection of set.selections) {
    const guard = guardOf(selection, outer);
    if (!guard) continue;
    if (selection.kind === Kind.FIELD) walkField(walk, selection, parent, path, guard);
    else {
      const { selectionSet, type } = fragmentOf(walk, selection, parent);
      walkSelections(walk, selectionSet, type, path, guard);
    }
  }
}

/** Returns whether a selection set was already walked with this type and guard, and marks it as walked. */
function isWalked<Demand>(
  { walked }: Walk<Demand>,
  set: SelectionSetNode,
  parent: GraphQLNamedType,
  guard: Guard,
): boolean {
  const keys = walked.get(set) ?? new Set();
  walked.set(set, keys);
  const key = `${parent.name} ${keyOf(guard)}`;
  if (keys.has(key)) return true;
  keys.add(key);
  return false;
}

const keyOf = (guard: Guard): string =>
  guard
    .map(({ variable, equals }) => `${variable}=${equals}`)
    .sort()
    .join();

function fragmentOf<Demand>(
  { schema, fragments }: Walk<Demand>,
  selection: Exclude<SelectionNode, FieldNode>,
  parent: GraphQLNamedType,
): { readonly selectionSet: SelectionSetNode; readonly type: GraphQLNamedType } {
  const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)!;
  const condition = fragment.typeCondition?.name.value;
  // The parent is an object type, so its fields are selected even if the fragment names an interface.
  const type = condition === undefined || isObjectType(parent) ? parent : schema.getType(condition)!;
  return { selectionSet: fragment.selectionSet, type };
}

function walkField<Demand>(
  walk: Walk<Demand>,
  { name: { value: name }, alias, selectionSet }: FieldNode,
  parent: GraphQLNamedType,
  above: readonly string[],
  guard: Guard,
): void {
  const path = [...above, alias?.value ?? name];
  // A field of an abstract type stands for the field of each possible type.
  const possible = isAbstractType(parent) ? walk.schema.getPossibleTypes(parent) : [];
  for (const type of [parent, ...possible]) {
    const demand = walk.demandOf(type.name, name);
    if (demand !== undefined) add(walk, { demand, path, guard });
  }
  if (!selectionSet) return;
  const type = typeOf(walk.schema, parent, name);
  if (type) walkSelections(walk, selectionSet, type, path, guard);
}

/** Returns null below `__schema` and `__type`, where fields have no demands. */
function typeOf(schema: GraphQLSchema, parent: GraphQLNamedType, field: string): GraphQLNamedType | null {
  if (!isObjectType(parent) && !isInterfaceType(parent)) return null;
  const found = parent.getFields()[field];
  return found ? (schema.getType(getNamedType(found.type).name) ?? null) : null;
}

function add<Demand>({ found }: Walk<Demand>, asked: Guarded<Demand>): void {
  const known = found.filter(({ demand }) => demand === asked.demand);
  const key = keyOf(asked.guard);
  // An unconditional occurrence covers all later ones.
  if (!known.some(({ guard }) => guard.length === 0 || keyOf(guard) === key)) found.push(asked);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, boolean> {
  return new Map(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.BOOLEAN ? [[variable.name.value, defaultValue.value] as const] : [],
    ),
  );
}

/** Evaluates a guard like the executor: a missing variable has its default, and null counts as false. */
const holds = (
  guard: Guard,
  variables: Readonly<Record<string, unknown>>,
  defaults: ReadonlyMap<string, boolean>,
): boolean =>
  guard.every(
    ({ variable, equals }) =>
      ((Object.hasOwn(variables, variable) ? variables[variable] : defaults.get(variable)) === true) ===
      equals,
  );
