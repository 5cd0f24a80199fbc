import {
  type DirectiveNode,
  doTypesOverlap,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLBoolean,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Draw } from './draw.fixture.ts';
import type { Values } from './values.fixture.ts';

const DEPTH_MAX = 6;
const FIELDS_MAX = 20;

/** The selected response names of one object of the answer, from all fragments. */
interface Scope {
  readonly names: Map<string, Taken>;
}

interface Taken {
  readonly field: FieldNode;
  readonly parent: string;
  readonly type: string;
  readonly inner: Scope;
}

const scope = (): Scope => ({ names: new Map() });
const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
const alias = (value: string) => ({ alias: name(value) });

/** Generates selections; named fragments are collected in `fragments`. */
export interface Selections {
  of(type: GraphQLCompositeType): SelectionSetNode;
  readonly fragments: readonly FragmentDefinitionNode[];
}

/** An operation that is being generated. */
interface Writing {
  readonly schema: GraphQLSchema;
  readonly draw: Draw;
  readonly values: Values;
  readonly fragments: FragmentDefinitionNode[];
  readonly composites: readonly GraphQLCompositeType[];
  /** Number of fields that may still be selected. */
  left: number;
}

export function createSelections(schema: GraphQLSchema, draw: Draw, values: Values): Selections {
  const composites = Object.values(schema.getTypeMap()).filter(
    (type) => isCompositeType(type) && !type.name.startsWith('__'),
  ) as GraphQLCompositeType[];
  const op: Writing = { schema, draw, values, composites, fragments: [], left: FIELDS_MAX };
  return { of: (type) => selectionSet(op, type, scope(), 0), fragments: op.fragments };
}

function selectionSet(op: Writing, type: GraphQLCompositeType, into: Scope, depth: number): SelectionSetNode {
  const count = op.left > 0 ? 1 + op.draw.below(depth === 0 ? 3 : 4) : 1;
  const selections = Array.from({ length: count }, () => selection(op, type, into, depth));
  return { kind: Kind.SELECTION_SET, selections };
}

function selection(op: Writing, type: GraphQLCompositeType, into: Scope, depth: number): SelectionNode {
  if (op.left <= 0 || op.draw.chance(8)) return typename(op, into);
  const isAbstract = !('getFields' in type) || 'resolveType' in type;
  if (depth < DEPTH_MAX && op.draw.chance(isAbstract ? 55 : 14)) return fragment(op, type, into, depth);
  if (op.draw.chance(7)) {
    const again = repeat(op, type, into, depth);
    if (again) return again;
  }
  const fields = isUnionType(type) ? [] : Object.values(type.getFields());
  const open = depth < DEPTH_MAX ? fields : fields.filter((field) => isLeafType(getNamedType(field.type)));
  return open.length > 0 ? fieldNode(op, type, op.draw.pick(open), into, depth) : typename(op, into);
}

function fieldNode(
  op: Writing,
  parent: GraphQLCompositeType,
  field: GraphQLField<unknown, unknown>,
  into: Scope,
  depth: number,
): FieldNode {
  op.left -= 1;
  const args = field.args.filter((argument) => isRequiredArgument(argument) || op.draw.chance(45));
  const plain: FieldNode = {
    kind: Kind.FIELD,
    name: name(field.name),
    arguments: args.map((argument) => ({
      kind: Kind.ARGUMENT,
      name: name(argument.name),
      value: op.values.of(argument.type),
    })),
  };
  const siblings = isUnionType(parent) ? [] : Object.keys(parent.getFields());
  const named = op.draw.chance(18) ? { ...plain, ...alias(op.draw.pick(['a', 'b', ...siblings])) } : plain;
  const taken = take(op, named, parent.name, String(field.type), into);
  return complete(op, taken, getNamedType(field.type), depth);
}

/** Selects the field under a response name that is free, or that already means the same. */
function take(op: Writing, field: FieldNode, parent: string, type: string, into: Scope): Taken {
  const wanted = field.alias?.value ?? field.name.value;
  const there = into.names.get(wanted);
  const entry = { field, parent, type, inner: there?.inner ?? scope() };
  if (there && sameField(there, entry)) return { ...entry, inner: there.inner };
  // Sometimes fields of exclusive types share a name; if the types are not exclusive, the operation is
  // dropped.
  if (there && op.draw.chance(12)) return entry;
  const free = there ? `${wanted}_${into.names.size}` : wanted;
  const fresh = there ? { ...entry, field: { ...field, ...alias(free) }, inner: scope() } : entry;
  into.names.set(free, fresh);
  return fresh;
}

const sameField = (a: Taken, b: Taken): boolean => a.type === b.type && callOf(a.field) === callOf(b.field);

function complete(op: Writing, { field, inner }: Taken, type: unknown, depth: number): FieldNode {
  const directives = conditions(op);
  if (!isCompositeType(type as never)) return { ...field, directives };
  return {
    ...field,
    directives,
    selectionSet: selectionSet(op, type as GraphQLCompositeType, inner, depth + 1),
  };
}

function repeat(op: Writing, type: GraphQLCompositeType, into: Scope, depth: number): FieldNode | null {
  const known = [...into.names.values()].filter(({ parent }) => parent === type.name);
  if (known.length === 0 || isUnionType(type)) return null;
  const taken = op.draw.pick(known);
  const definition = type.getFields()[taken.field.name.value];
  return definition ? complete(op, taken, getNamedType(definition.type), depth) : null;
}

function typename(op: Writing, into: Scope): FieldNode {
  const field: FieldNode = { kind: Kind.FIELD, name: name('__typename') };
  const named = op.draw.chance(20)
    ? { ...field, ...alias(op.draw.pick(['kind', 'id', 't', 'name'])) }
    : field;
  return take(op, named, '', 'String!', into).field;
}

function fragment(op: Writing, type: GraphQLCompositeType, into: Scope, depth: number): SelectionNode {
  const directives = conditions(op);
  const overlapping = op.composites.filter((other) => doTypesOverlap(op.schema, type, other));
  const on = op.draw.pick(
    op.draw.chance(30) ? overlapping : overlapping.filter((other) => isObjectType(other)),
  );
  const known = op.fragments.filter(({ typeCondition }) =>
    doTypesOverlap(op.schema, type, op.schema.getType(typeCondition.name.value) as GraphQLCompositeType),
  );
  if (known.length > 0 && op.draw.chance(15)) {
    return { kind: Kind.FRAGMENT_SPREAD, name: op.draw.pick(known).name, directives };
  }
  if (op.draw.chance(70)) {
    const isBare = op.draw.chance(10);
    const inner = selectionSet(op, isBare ? type : on, into, depth + 1);
    const typeCondition = { kind: Kind.NAMED_TYPE, name: name(on.name) } as const;
    return {
      kind: Kind.INLINE_FRAGMENT,
      directives,
      selectionSet: inner,
      ...(!isBare && { typeCondition }),
    };
  }
  const inner = selectionSet(op, on, into, depth + 1);
  const definition: FragmentDefinitionNode = {
    kind: Kind.FRAGMENT_DEFINITION,
    name: name(`F${op.fragments.length}`),
    typeCondition: { kind: Kind.NAMED_TYPE, name: name(on.name) },
    selectionSet: inner,
  };
  op.fragments.push(definition);
  return { kind: Kind.FRAGMENT_SPREAD, name: definition.name, directives };
}

function conditions(op: Writing): DirectiveNode[] {
  return ['include', 'skip']
    .filter(() => op.draw.chance(7))
    .map((directive) => ({
      kind: Kind.DIRECTIVE,
      name: name(directive),
      arguments: [
        {
          kind: Kind.ARGUMENT,
          name: name('if'),
          value: op.values.condition(new GraphQLNonNull(GraphQLBoolean)),
        },
      ],
    }));
}

const callOf = ({ name: field, arguments: args = [] }: FieldNode): string =>
  `${field.value}(${args.map(print).join()})`;
