import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  parse,
  type TypeDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';

/** The `@listSize` of a list, or of the lists directly below a connection. */
export interface ListSize {
  /** Used if no argument determines the number of items. */
  readonly assumedSize: number | null;
  /** Arguments that determine the number of items. */
  readonly slicingArguments: readonly string[];
  /** Child fields that have this size; empty if the field itself is the list. */
  readonly sizedFields: readonly string[];
  readonly requireOneSlicingArgument: boolean;
}

/** Every `@cost` and `@listSize` of a supergraph. */
export interface CostModel {
  /** By schema coordinate: `Type`, `Type.field`, `Type.field(argument:)`. */
  readonly weights: ReadonlyMap<string, number>;
  /** By `Type.field`. */
  readonly listSizes: ReadonlyMap<string, ListSize>;
}

const COST_SPEC = /^https:\/\/specs\.apollo\.dev\/cost\/v\d/;

/** Reads the weights and list sizes of a supergraph, because the API schema lacks the directives. */
export function costModel(supergraphSdl: string): CostModel {
  const { definitions } = parse(supergraphSdl, { noLocation: true });
  const names = namesIn(definitions.flatMap((node) => (node.kind === Kind.SCHEMA_DEFINITION ? [node] : [])));
  const weights = new Map<string, number>();
  const listSizes = new Map<string, ListSize>();
  const weigh = (coordinate: string, directives: readonly ConstDirectiveNode[] = []): void => {
    const weight = argumentsOf(directives, names.cost)?.['weight'];
    if (weight !== undefined) weights.set(coordinate, Number(weight));
  };
  for (const definition of definitions) {
    if (!('name' in definition) || definition.kind === Kind.DIRECTIVE_DEFINITION) continue;
    const type = definition as TypeDefinitionNode;
    weigh(type.name.value, type.directives);
    for (const field of 'fields' in type ? (type.fields ?? []) : []) {
      const coordinate = `${type.name.value}.${field.name.value}`;
      weigh(coordinate, field.directives);
      const size = argumentsOf(field.directives ?? [], names.listSize);
      if (size) listSizes.set(coordinate, listSizeOf(size));
      for (const argument of (field as FieldDefinitionNode).arguments ?? []) {
        weigh(`${coordinate}(${argument.name.value}:)`, argument.directives);
      }
    }
  }
  return { weights, listSizes };
}

/** Names of the two directives in the supergraph, because an import may rename them. */
function namesIn(schemas: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[]) {
  const links = schemas
    .flatMap(({ directives = [] }) => directives)
    .filter(({ name }) => name.value === 'link')
    .map((link) => argumentsOf([link], 'link') as { url?: string; as?: string; import?: unknown[] });
  const link = links.find(({ url }) => COST_SPEC.test(url ?? ''));
  const spec = link?.as ?? 'cost';
  const imported = (name: string): string | undefined =>
    (link?.import ?? [])
      .map((item) => (typeof item === 'string' ? { name: item } : (item as { name: string; as?: string })))
      .filter((item) => item.name === `@${name}`)
      .map((item) => (item.as ?? item.name).slice(1))[0];
  return { cost: imported('cost') ?? spec, listSize: imported('listSize') ?? `${spec}__listSize` };
}

function argumentsOf(
  directives: readonly ConstDirectiveNode[],
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const found = directives.find((directive) => directive.name.value === name);
  return (
    found &&
    Object.fromEntries(
      (found.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
    )
  );
}

const listSizeOf = (given: Readonly<Record<string, unknown>>): ListSize => ({
  assumedSize: (given['assumedSize'] as number | undefined) ?? null,
  slicingArguments: (given['slicingArguments'] as string[] | undefined) ?? [],
  sizedFields: (given['sizedFields'] as string[] | undefined) ?? [],
  requireOneSlicingArgument: given['requireOneSlicingArgument'] !== false,
});

/** Returns the weight of a field. On an abstract type, it is that of the heaviest implementation. */
export function fieldWeight(
  model: CostModel,
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  field: string,
): number | undefined {
  const found = coordinates(schema, parent, field).flatMap((name) => model.weights.get(name) ?? []);
  return found.length > 0 ? Math.max(...found) : undefined;
}

/** Returns the list size of a field, also if only an implementation of its type declares one. */
export function fieldListSize(
  model: CostModel,
  schema: GraphQLSchema,
  parent: GraphQLCompositeType,
  field: string,
): ListSize | undefined {
  for (const coordinate of coordinates(schema, parent, field)) {
    const found = model.listSizes.get(coordinate);
    if (found) return found;
  }
  return undefined;
}

function coordinates(schema: GraphQLSchema, parent: GraphQLCompositeType, field: string): string[] {
  const types = isAbstractType(parent) ? [parent, ...schema.getPossibleTypes(parent)] : [parent];
  return types.map(({ name }) => `${name}.${field}`);
}
