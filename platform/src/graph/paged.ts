import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
} from 'graphql';
import { isObjectType } from '../identity/type-access.ts';

/** The arguments of `@paged` on a list; the prelude defines them. */
interface Paged {
  readonly item: string;
  /** Prefix of the types: the connection is `<name>Connection`, the edge `<name>Edge`. */
  readonly name: string;
  readonly size: number;
  readonly hasOffset: boolean;
  readonly countCost: number;
}

/**
 * Expands `@paged`: each list `[Item!]! @paged` becomes a connection `ItemConnection!`. The field gets
 * `@listSize`, and paging arguments after its required arguments. The connection and its edge are added.
 *
 * @throws Error if `@paged` is not on a list of items, or two lists differ in their connection
 */
export function withPages(typeDefs: DocumentNode): DocumentNode {
  const connections = new Map<string, Paged>();
  const expanded = (field: FieldDefinitionNode): FieldDefinitionNode => {
    const directive = field.directives?.find(({ name }) => name.value === 'paged');
    if (!directive) return field;
    const paged = readPaged(field, directive);
    const { name, item, countCost } = connections.get(paged.name) ?? paged;
    if (item !== paged.item || countCost !== paged.countCost)
      throw new Error(`${field.name.value}: another list says otherwise what ${name}Connection is.`);
    connections.set(name, paged);
    return pagedField(field, paged);
  };
  const definitions = typeDefs.definitions
    .filter((node) => node.kind !== Kind.DIRECTIVE_DEFINITION || node.name.value !== 'paged')
    .map((node) => (isObjectType(node) ? { ...node, fields: (node.fields ?? []).map(expanded) } : node));
  return { ...typeDefs, definitions: [...definitions, ...[...connections.values()].flatMap(typesOf)] };
}

function readPaged({ name, type }: FieldDefinitionNode, directive: ConstDirectiveNode): Paged {
  const item = itemOf(type);
  if (!item) throw new Error(`${name.value}: @paged stands on a list [Item!] or [Item!]!.`);
  const values = new Map(
    directive.arguments?.map(({ name: { value: arg }, value }) => [
      arg,
      'value' in value ? value.value : null,
    ]),
  );
  return {
    item,
    name: String(values.get('name') ?? item),
    size: Number(values.get('size') ?? 50),
    hasOffset: values.get('hasOffset') !== false,
    countCost: Number(values.get('countCost') ?? 10),
  };
}

/** Returns the item type of a list of non-null items. */
function itemOf(type: TypeNode): string | null {
  const list = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  if (list.kind !== Kind.LIST_TYPE || list.type.kind !== Kind.NON_NULL_TYPE) return null;
  return list.type.type.kind === Kind.NAMED_TYPE ? list.type.type.name.value : null;
}

function pagedField(field: FieldDefinitionNode, { name, size, hasOffset }: Paged): FieldDefinitionNode {
  const offset = `"Items to skip, at most 10,000,000. Only for reading forward without a cursor."
    offset: Int`;
  const [page] = typesIn(`type Lists {
    list(
      "Items on the page, at most 200. Default: ${size}."
      first: Int
      "Reads on after this cursor: \`endCursor\` of the page before."
      after: String
      "Reads backward: the items before \`before\`, or the last ones of the list. At most 200."
      last: Int
      "Reads back from this cursor: \`startCursor\` of the page after."
      before: String
      ${hasOffset ? offset : ''}
    ): ${name}Connection${field.type.kind === Kind.NON_NULL_TYPE ? '!' : ''}
      @listSize(
        assumedSize: ${size}
        slicingArguments: ["first", "last"]
        sizedFields: ["nodes", "edges"]
        requireOneSlicingArgument: false
      )
  }`)[0]!.fields!;
  const own = field.arguments ?? [];
  const others = own.filter((argument) => !isRequired(argument));
  return {
    ...field,
    arguments: [...own.filter(isRequired), ...page!.arguments!, ...others],
    type: page!.type,
    directives: field.directives!.flatMap((each) => (each.name.value === 'paged' ? page!.directives! : each)),
  };
}

const isRequired = ({ type, defaultValue }: InputValueDefinitionNode): boolean =>
  type.kind === Kind.NON_NULL_TYPE && !defaultValue;

const typesOf = ({ name, item, countCost }: Paged): readonly ObjectTypeDefinitionNode[] =>
  typesIn(`
    "One page of a list."
    type ${name}Connection {
      "The items of this page, in the order of the list."
      nodes: [${item}!]!
      "The same items as \`nodes\`, each with its cursor."
      edges: [${name}Edge!]!
      "Whether other pages follow or precede, and the cursors that lead there."
      pageInfo: PageInfo!
      "Items of the whole list, on all pages. Counted only when selected."
      totalCount: Int! ${countCost > 0 ? `@cost(weight: ${countCost})` : ''}
    }

    "An item of a page with its cursor."
    type ${name}Edge {
      "The place of the item in the list, for \`after\` and \`before\`. Opaque."
      cursor: String!
      "The item itself."
      node: ${item}!
    }`);

const typesIn = (sdl: string): readonly ObjectTypeDefinitionNode[] =>
  parse(sdl, { noLocation: true }).definitions as readonly ObjectTypeDefinitionNode[];
