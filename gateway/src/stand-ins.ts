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

/** A field without arguments that stands for a call of one that has them. */
export interface StandIn {
  readonly field: string;
  readonly arguments: readonly ConstArgumentNode[];
}

/** By the name of the field that stands in. */
export type StandIns = ReadonlyMap<string, StandIn>;

type FieldsType = ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode;

/**
 * Gives every call that a @requires makes with arguments a field of its own. The planner knows a field within
 * @requires by its name alone: two that want one field with different arguments would get the same value, and
 * a client's own call of it would be taken for theirs.
 *
 * @returns the supergraph to plan with, the same one where nothing is required with arguments
 */
export function withStandIns(supergraph: DocumentNode): { planned: DocumentNode; standIns: StandIns } {
  const making = new Making(supergraph);
  const rewritten = visit(supergraph, {
    ObjectTypeDefinition: (node) => making.withRequires(node),
    InterfaceTypeDefinition: (node) => making.withRequires(node),
  });
  if (making.standIns.size === 0) return { planned: supergraph, standIns: making.standIns };
  const planned = visit(rewritten, {
    ObjectTypeDefinition: (node) => making.withFields(node),
    InterfaceTypeDefinition: (node) => making.withFields(node),
  });
  return { planned, standIns: making.standIns };
}

class Making {
  readonly standIns = new Map<string, StandIn>();
  readonly #names = new Map<string, string>();
  readonly #types = new Map<string, FieldsType>();
  readonly #taken = new Set<string>();
  /** Names of stand-ins by the type that gets them as fields. */
  readonly #holders = new Map<string, Set<string>>();

  constructor({ definitions }: DocumentNode) {
    for (const type of definitions) {
      if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
      this.#types.set(type.name.value, type);
      for (const field of type.fields ?? []) this.#taken.add(field.name.value);
    }
  }

  /** The type, its requirements told in stand-ins; undefined where none has arguments. */
  withRequires(type: FieldsType): FieldsType | undefined {
    if (!type.fields?.some(({ directives }) => directives?.some(requiresCalls))) return undefined;
    const rewrite = (directive: ConstDirectiveNode): ConstDirectiveNode =>
      requiresCalls(directive) ? this.#rewrite(directive, type.name.value) : directive;
    const fields = type.fields.map((field) => ({ ...field, directives: field.directives!.map(rewrite) }));
    return { ...type, fields };
  }

  /** The type with its stand-ins, each known to the subgraphs that know the field it stands for. */
  withFields(type: FieldsType): FieldsType | undefined {
    const names = this.#holders.get(type.name.value);
    if (!names) return undefined;
    const added = [...names].map((name): FieldDefinitionNode => {
      const { field } = this.standIns.get(name)!;
      const original = type.fields!.find((each) => each.name.value === field)!;
      return { ...original, name: { kind: Kind.NAME, value: name }, arguments: [] };
    });
    return { ...type, fields: [...type.fields!, ...added] };
  }

  #rewrite(directive: ConstDirectiveNode, type: string): ConstDirectiveNode {
    return {
      ...directive,
      arguments: directive.arguments!.map((argument) => {
        if (argument.name.value !== 'requires' || argument.value.kind !== Kind.STRING) return argument;
        const operation = parse(`{ ${argument.value.value} }`, { noLocation: true }).definitions[0]!;
        const { selectionSet } = operation as { readonly selectionSet: SelectionSetNode };
        const text = stripIgnoredCharacters(print(this.#replaced(selectionSet, type))).slice(1, -1);
        return { ...argument, value: { kind: Kind.STRING, value: text } };
      }),
    };
  }

  #replaced(set: SelectionSetNode, type: string): SelectionSetNode {
    const selections = set.selections.map((selection) => {
      if (selection.kind === Kind.FIELD) return this.#replacedField(selection, type);
      if (selection.kind !== Kind.INLINE_FRAGMENT) return selection;
      const condition = selection.typeCondition?.name.value ?? type;
      return { ...selection, selectionSet: this.#replaced(selection.selectionSet, condition) };
    });
    return { ...set, selections };
  }

  #replacedField(node: FieldNode, type: string): FieldNode {
    const field = this.#types.get(type)?.fields?.find(({ name }) => name.value === node.name.value);
    if (!field) return node;
    const selectionSet = node.selectionSet && this.#replaced(node.selectionSet, named(field.type));
    const inner = { ...node, ...(selectionSet && { selectionSet }) };
    if (!node.arguments?.length) return inner;
    const name = this.#nameOf(node);
    for (const holder of this.#withImplementations(type)) {
      this.#holders.set(holder, (this.#holders.get(holder) ?? new Set()).add(name));
    }
    return { ...inner, name: { kind: Kind.NAME, value: name }, arguments: [] };
  }

  #nameOf({ name: { value: field }, arguments: given }: FieldNode): string {
    const sorted = (given as readonly ConstArgumentNode[]).toSorted((a, b) =>
      a.name.value < b.name.value ? -1 : 1,
    );
    const call = `${field}(${sorted.map(print).join()})`;
    const known = this.#names.get(call);
    if (known) return known;
    let name = '';
    for (let n = this.standIns.size; name === '' || this.#taken.has(name); n += 1) name = `${field}__r${n}`;
    this.#taken.add(name);
    this.#names.set(call, name);
    this.standIns.set(name, { field, arguments: sorted });
    return name;
  }

  /** A field of an interface is one of everything that implements it. */
  #withImplementations(type: string): string[] {
    const implementing = [...this.#types.values()].filter(({ interfaces }) =>
      interfaces?.some(({ name }) => name.value === type),
    );
    return [type, ...implementing.map(({ name }) => name.value)];
  }
}

const requiresCalls = ({ name, arguments: given }: ConstDirectiveNode): boolean =>
  name.value === 'join__field' &&
  given!.some(
    ({ name: { value: argument }, value }) =>
      argument === 'requires' && value.kind === Kind.STRING && value.value.includes('('),
  );

const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);
