import {
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  isAbstractType,
  isEnumType,
  isObjectType,
  Kind,
  type TypeNode,
} from 'graphql';
import type { Declaration, Declarations } from './declarations.fixture.ts';
import { createFieldSets } from './field-sets.fixture.ts';
import { canonical, hashOf } from './hash.fixture.ts';
import type { Thing } from './thing.fixture.ts';

type Args = Readonly<Record<string, unknown>>;

export interface WorldData {
  /** Returns the value of a field as one subgraph computes it; without a subgraph, as in the whole graph. */
  fieldValue(thing: Thing, field: string, args: Args, subgraph?: string): unknown;
  /** Returns the object of an entity reference; throws if its keys are missing or contradict each other. */
  identify(reference: Readonly<Record<string, unknown>>): Thing;
}

/** Entities of one type; few, so that an operation often reaches the same one. */
const ENTITIES = 4;
const LIST_LENGTH_MAX = 3;
/** One in this many nullable values is null. */
const NULL_EVERY = 9;
const TEXT_LENGTH_MAX = 80;

type Find = (name: string, key: string, found: readonly Declaration[], subgraph?: string) => unknown;

/** Creates data from the declarations: every value is a function of its position. */
export function createWorldData(
  api: GraphQLSchema,
  full: GraphQLSchema,
  declarations: Declarations,
): WorldData {
  const named = namedValues(api, full, declarations);
  const sets = createFieldSets(full, (thing, node) => {
    const definition = (full.getType(thing.__typename) as GraphQLObjectType).getFields()[node.name.value];
    if (!definition) throw new Error(`${thing.__typename}.${node.name.value} does not exist.`);
    return fieldValue(thing, node.name.value, getArgumentValues(definition, node));
  });

  function fieldValue(thing: Thing, field: string, args: Args, subgraph?: string): unknown {
    const found = declarations.of(thing.__typename, field);
    const own = found.find((declaration) => declaration.subgraph === subgraph);
    const isStale = own !== undefined && found.some(({ overrides }) => overrides === subgraph);
    const { requires } = (subgraph ? own : found.find((declaration) => declaration.requires)) ?? {};
    const read = requires && (subgraph ? sets.project(thing.given, requires) : sets.select(thing, requires));
    const suffix = `${Object.keys(args).length > 0 ? canonical(args) : ''}${read ? canonical(read) : ''}`;
    const key = `${thing.ident}.${field}${suffix}${isStale ? ' of an overridden field' : ''}`;
    return typedValue(strictest(found.map(({ type }) => type)), key, (name, at) =>
      named(name, at, found, subgraph),
    );
  }

  function identify(reference: Readonly<Record<string, unknown>>): Thing {
    const __typename = String(reference['__typename']);
    const keys = declarations.keysOf(__typename).filter((key) => sets.isIn(reference, key));
    const [first] = keys;
    if (!first) throw new Error(`${canonical(reference)} has no key.`);
    const thing: Thing = { __typename, ident: sets.identOf(reference, first), given: reference };
    for (const key of keys) {
      const [is, should] = [sets.project(reference, key), sets.select(thing, key)].map(canonical);
      if (is !== should) throw new Error(`The key ${is} should be ${should}.`);
    }
    return thing;
  }
  return { fieldValue, identify };
}

function typedValue(type: TypeNode, key: string, named: (name: string, key: string) => unknown): unknown {
  const isNullable = type.kind !== Kind.NON_NULL_TYPE;
  if (isNullable && hashOf(key, 'null') % NULL_EVERY === 0) return null;
  const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  if (inner.kind === Kind.NAMED_TYPE) return named(inner.name.value, key);
  const length = hashOf(key, 'length') % (LIST_LENGTH_MAX + 1);
  return Array.from({ length }, (_, at) => typedValue(inner.type, `${key}[${at}]`, named));
}

/** Values of enums, scalars, objects and abstract types that every subgraph with the field can return. */
function namedValues(api: GraphQLSchema, full: GraphQLSchema, declarations: Declarations): Find {
  /** The values that clients may see, if there are any. */
  const visible = (name: string): readonly string[] => {
    const schema = api.getType(name) ? api : full;
    const type = schema.getType(name);
    if (isEnumType(type)) return type.getValues().map((value) => value.name);
    return isAbstractType(type) ? schema.getPossibleTypes(type).map((each) => each.name) : [name];
  };
  return (name, key, found, subgraph) => {
    const type = full.getType(name);
    const know = (of: (subgraph: string, name: string) => readonly string[] | null): string =>
      pick(
        intersection(
          visible(name),
          found.map((declaration) => of(declaration.subgraph, name)),
        ),
        key,
      );
    if (isEnumType(type)) return know(declarations.enumValues);
    if (!isObjectType(type) && !isAbstractType(type)) return scalarValue(name, key);
    const concrete = know(declarations.possibleTypes);
    const isEntity = declarations.keysOf(concrete).length > 0;
    const ident = isEntity ? `${concrete}:${hashOf(key, 'entity') % ENTITIES}` : key;
    const isInterfaceObject = subgraph && declarations.possibleTypes(subgraph, name) === null;
    return { __typename: isInterfaceObject ? name : concrete, ident } satisfies Thing;
  };
}

function intersection(
  all: readonly string[],
  limits: readonly (readonly string[] | null)[],
): readonly string[] {
  const left = all.filter((each) => limits.every((limit) => limit === null || limit.includes(each)));
  if (left.length === 0) throw new Error(`Nothing of ${all.join(', ')} is known to all.`);
  return left;
}

const pick = (from: readonly string[], key: string): string => from[hashOf(key, 'pick') % from.length] ?? '';

/** Returns the strictest type that a subgraph declares for a field. */
function strictest(types: readonly TypeNode[]): TypeNode {
  const [first] = types;
  if (!first) throw new Error('Nobody declares the field.');
  const open = types.map((type) => (type.kind === Kind.NON_NULL_TYPE ? type.type : type));
  const [inner] = open;
  const lists = open.filter((type) => type.kind === Kind.LIST_TYPE);
  const type =
    inner?.kind === Kind.LIST_TYPE
      ? ({ kind: Kind.LIST_TYPE, type: strictest(lists.map((list) => list.type)) } as const)
      : (inner as TypeNode & { readonly kind: Kind.NAMED_TYPE });
  return types.some(({ kind }) => kind === Kind.NON_NULL_TYPE) ? { kind: Kind.NON_NULL_TYPE, type } : type;
}

/** A text contains its own position, so that texts can be keys. */
function scalarValue(name: string, key: string): unknown {
  const hash = hashOf(key);
  if (name === 'Int') return (hash % 2001) - 1000;
  if (name === 'Float') return (hash % 1000) / 4;
  if (name === 'Boolean') return hash % 2 === 0;
  const text = key.length > TEXT_LENGTH_MAX ? `text ${hash}` : key;
  if (name !== 'Anything') return text;
  return [{ text, list: [hash % 7, null], more: { __typename: 'no type', id: 1 } }, [], hash % 5, false][
    hash % 4
  ];
}
