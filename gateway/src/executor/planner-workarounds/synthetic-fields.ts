import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type FieldNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  stripIgnoredCharacters,
  type TypeNode,
  visit,
} from 'graphql';

/** A field without arguments that represents another field with certain arguments. */
export interface SyntheticField {
  readonly field: string;
  readonly arguments: readonly ConstArgumentNode[];
}

/** Synthetic fields by name. */
export type SyntheticFields = ReadonlyMap<string, SyntheticField>;

type FieldsType = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

/**
 * Adds a synthetic field for every field that a @requires selects with arguments. Within @requires, the
 * planner identifies a field by its name only: two fields that require one field with different arguments
 * would get the same value, and so would a client that selects it.
 *
 * @returns the supergraph for planning; the same object if there are no requirements with arguments
 */
export function withSyntheticFields(supergraph: DocumentNode): {
  planned: DocumentNode;
  syntheticFields: SyntheticFields;
} {
  const registry = newRegistry(supergraph);
  const rewritten = visit(supergraph, {
    ObjectTypeDefinition: (type) => withRequires(type, registry),
    InterfaceTypeDefinition: (type) => withRequires(type, registry),
  });
  const { syntheticFields } = registry;
  if (syntheticFields.size === 0) return { planned: supergraph, syntheticFields };
  const planned = visit(rewritten, {
    ObjectTypeDefinition: (type) => withFields(type, registry),
    InterfaceTypeDefinition: (type) => withFields(type, registry),
  });
  return { planned, syntheticFields };
}

interface Registry {
  readonly syntheticFields: Map<string, SyntheticField>;
  /** Names of synthetic fields, by the field and arguments that they represent. */
  readonly names: Map<string, string>;
  /** Names of synthetic fields, by their type. */
  readonly namesByType: Map<string, Set<string>>;
  readonly types: ReadonlyMap<string, FieldsType>;
  /** Names of all fields. */
  readonly taken: Set<string>;
}

function newRegistry({ definitions }: DocumentNode): Registry {
  const types = definitions.filter(
    (each): each is FieldsType =>
      each.kind === Kind.OBJECT_TYPE_DEFINITION || each.kind === Kind.INTERFACE_TYPE_DEFINITION,
  );
  return {
    syntheticFields: new Map(),
    names: new Map(),
    namesByType: new Map(),
    types: new Map(types.map((type) => [type.name.value, type])),
    taken: new Set(types.flatMap(({ fields = [] }) => fields.map(({ name }) => name.value))),
  };
}

/** Returns the type with synthetic fields in its requirements; undefined if none has arguments. */
function withRequires(type: FieldsType, registry: Registry): FieldsType | undefined {
  if (!type.fields?.some(({ directives }) => directives?.some(requiresCalls))) return undefined;
  const rewrite = (directive: ConstDirectiveNode): ConstDirectiveNode =>
    requiresCalls(directive) ? rewritten(directive, type.name.value, registry) : directive;
  const fields = type.fields.map((field) => ({ ...field, directives: field.directives!.map(rewrite) }));
  return { ...type, fields };
}

/** Returns the type with its synthetic fields, each in the subgraphs of its real field. */
function withFields(type: FieldsType, { namesByType, syntheticFields }: Registry): FieldsType | undefined {
  const names = namesByType.get(type.name.value);
  if (!names) return undefined;
  const added = [...names].map((name): FieldDefinitionNode => {
    const { field } = syntheticFields.get(name)!;
    const original = type.fields!.find((each) => each.name.value === field)!;
    return { ...original, name: { kind: Kind.NAME, value: name }, arguments: [] };
  });
  return { ...type, fields: [...type.fields!, ...added] };
}

function rewritten(directive: ConstDirectiveNode, type: string, registry: Registry): ConstDirectiveNode {
  return {
    ...directive,
    arguments: directive.arguments!.map((argument) => {
      if (argument.name.value !== 'requires' || argument.value.kind !== Kind.STRING) return argument;
      const operation = parse(`{ ${argument.value.value} }`, { noLocation: true }).definitions[0]!;
      const { selectionSet } = operation as { readonly selectionSet: SelectionSetNode };
      const text = stripIgnoredCharacters(print(replaced(selectionSet, type, registry))).slice(1, -1);
      return { ...argument, value: { kind: Kind.STRING, value: text } };
    }),
  };
}

function replaced(set: SelectionSetNode, type: string, registry: Registry): SelectionSetNode {
  const selections = set.selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return replacedField(selection, type, registry);
    if (selection.kind !== Kind.INLINE_FRAGMENT) return selection;
    const condition = selection.typeCondition?.name.value ?? type;
    return { ...selection, selectionSet: replaced(selection.selectionSet, condition, registry) };
  });
  return { ...set, selections };
}

function replacedField(node: FieldNode, type: string, registry: Registry): FieldNode {
  const field = registry.types.get(type)?.fields?.find(({ name }) => name.value === node.name.value);
  if (!field) return node;
  const selectionSet = node.selectionSet && replaced(node.selectionSet, named(field.type), registry);
  const inner = { ...node, ...(selectionSet && { selectionSet }) };
  if (!node.arguments?.length) return inner;
  const name = nameOf(node, registry);
  for (const owner of withImplementations(type, registry)) {
    registry.namesByType.set(owner, (registry.namesByType.get(owner) ?? new Set()).add(name));
  }
  return { ...inner, name: { kind: Kind.NAME, value: name }, arguments: [] };
}

function nameOf(node: FieldNode, { syntheticFields, names, taken }: Registry): string {
  const field = node.name.value;
  const given = node.arguments as readonly ConstArgumentNode[];
  const sorted = given.toSorted((a, b) => (a.name.value < b.name.value ? -1 : 1));
  const call = `${field}(${sorted.map(print).join()})`;
  const known = names.get(call);
  if (known) return known;
  let name = '';
  for (let n = syntheticFields.size; name === '' || taken.has(name); n += 1) name = `${field}__r${n}`;
  taken.add(name);
  names.set(call, name);
  syntheticFields.set(name, { field, arguments: sorted });
  return name;
}

/** Returns the type and, for an interface, the types that implement it. */
function withImplementations(type: string, { types }: Registry): string[] {
  const implementing = [...types.values()].filter(({ interfaces }) =>
    interfaces?.some(({ name }) => name.value === type),
  );
  return [type, ...implementing.map(({ name }) => name.value)];
}

const requiresCalls = ({ name, arguments: given }: ConstDirectiveNode): boolean =>
  name.value === 'join__field' &&
  given!.some(
    ({ name: { value: argument }, value }) =>
      argument === 'requires' && value.kind === Kind.STRING && value.value.includes('('),
  );

const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);
