import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** One variable of an operation, as a parameter of its row. */
export interface Parameter {
  readonly name: string;
  readonly type: GraphQLInputType;
  /** From the document, for example `$limit: Int = 50`. */
  readonly defaultValue: unknown;
  /**
   * Path of the argument that uses the variable, as in errors of the graph: `input.amount`. Null if none uses
   * it.
   */
  readonly argument: string | null;
  /** The graph's description of that argument. */
  readonly description: string | null;
}

export interface RowOperation {
  readonly definition: OperationDefinitionNode;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** Every field that the operation selects, as `Type.field`. */
  readonly fields: readonly string[];
}

type Use = Pick<Parameter, 'argument' | 'description'>;

/** Reads a row's document against the schema of the graph. */
export function readOperation(text: string, schema: GraphQLSchema): RowOperation {
  const definition = withoutSpreads(parse(text, { noLocation: true }));
  const { uses, fields } = readSelections(definition, schema);
  const parameters = (definition.variableDefinitions ?? []).map(({ variable, type, defaultValue }) => {
    const name = variable.name.value;
    const inputType = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    if (!inputType) throw new Error(`$${name} of ${definition.name?.value} has a type that the graph lacks.`);
    return {
      name,
      type: inputType,
      defaultValue: defaultValue ? valueFromAST(defaultValue, inputType) : undefined,
      ...(uses.get(name) ?? { argument: null, description: null }),
    };
  });
  return { definition, name: definition.name!.value, parameters, fields };
}

/** Returns the operation with each fragment spread replaced by the selections of the fragment. */
function withoutSpreads(document: DocumentNode): OperationDefinitionNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const SelectionSet = (node: SelectionSetNode): SelectionSetNode => ({
    ...node,
    selections: node.selections.flatMap((selection) =>
      selection.kind === Kind.FRAGMENT_SPREAD
        ? SelectionSet(fragments.get(selection.name.value)!.selectionSet).selections
        : [selection],
    ),
  });
  return visit(getOperationAST(document)!, { SelectionSet });
}

/** Returns the selected fields, and for each variable the first argument that uses it, at any depth. */
function readSelections(definition: OperationDefinitionNode, schema: GraphQLSchema) {
  const types = new TypeInfo(schema);
  const uses = new Map<string, Use>();
  const fields = new Set<string>();
  const path: string[] = [];
  const step = {
    enter: (node: { readonly name: { readonly value: string } }) => void path.push(node.name.value),
    leave: () => void path.pop(),
  };
  visit(
    definition,
    visitWithTypeInfo(types, {
      Field: (node) => void fields.add(`${types.getParentType()?.name}.${node.name.value}`),
      Argument: step,
      ObjectField: step,
      Variable(node) {
        // If the path is empty, this is the definition of the variable, not a use.
        if (path.length === 0 || uses.has(node.name.value)) return;
        uses.set(node.name.value, { argument: path.join('.'), description: describe(types, path) });
      },
    }),
  );
  return { uses, fields: [...fields] };
}

function describe(types: TypeInfo, path: readonly string[]): string | null {
  const parent = path.length > 1 ? getNullableType(types.getParentInputType()) : null;
  const taker = isInputObjectType(parent) ? parent.getFields()[path.at(-1)!] : types.getArgument();
  return taker?.description ?? null;
}
