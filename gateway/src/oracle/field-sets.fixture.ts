import {
  type FieldNode,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Thing } from './thing.fixture.ts';

type Given = Readonly<Record<string, unknown>>;

/** Reads the field sets of `@key` and `@requires` from references and from objects. */
interface FieldSets {
  /** Returns the part of a reference for a field set; throws if a field is missing. */
  project(given: Given | undefined, set: SelectionSetNode): unknown;
  /** Returns the same part in the whole graph. */
  select(thing: Thing, set: SelectionSetNode): unknown;
  isIn(given: Given, set: SelectionSetNode): boolean;
  /** Returns the identity of the object that a reference with this key means. */
  identOf(given: Given, key: SelectionSetNode): string;
}

/** Creates a reader of field sets; `compute` resolves a field of an object. */
export function createFieldSets(
  full: GraphQLSchema,
  compute: (thing: Thing, node: FieldNode) => unknown,
): FieldSets {
  const fieldsFor = (typeName: unknown, set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      if (selection.kind !== Kind.INLINE_FRAGMENT) return [];
      return isOfType(full, String(typeName), selection.typeCondition?.name.value)
        ? fieldsFor(typeName, selection.selectionSet)
        : [];
    });

  function read(source: Given, typeName: unknown, set: SelectionSetNode, get: (node: FieldNode) => unknown) {
    const fields = fieldsFor(typeName, set).map((node) => [node.name.value, get(node)] as const);
    if (fields.some(([, value]) => value === undefined)) {
      throw new Error(`${JSON.stringify(source)} lacks a required field.`);
    }
    return Object.fromEntries(fields);
  }

  const deep = (value: unknown, each: (inner: unknown) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => deep(item, each));
    return value === null || value === undefined ? value : each(value);
  };

  function project(given: Given | undefined, set: SelectionSetNode): unknown {
    if (!given) throw new Error('Nothing of what is required was given.');
    return read(given, given['__typename'], set, (node) => {
      const { selectionSet } = node;
      const value = given[node.name.value];
      return selectionSet ? deep(value, (inner) => project(inner as Given, selectionSet)) : value;
    });
  }

  function select(thing: Thing, set: SelectionSetNode): unknown {
    return read({ ident: thing.ident }, thing.__typename, set, (node) => {
      const { selectionSet } = node;
      const value = node.name.value === '__typename' ? thing.__typename : compute(thing, node);
      return selectionSet ? deep(value, (inner) => select(inner as Thing, selectionSet)) : value;
    });
  }

  return { project, select, isIn, identOf };
}

function isOfType(full: GraphQLSchema, typeName: string, condition: string | undefined): boolean {
  if (condition === undefined || condition === typeName) return true;
  const [type, abstract] = [full.getType(typeName), full.getType(condition)];
  return isObjectType(type) && isAbstractType(abstract) && full.isSubType(abstract, type);
}

const fieldsOf = (set: SelectionSetNode): FieldNode[] =>
  set.selections.filter((node) => node.kind === Kind.FIELD);

const isIn = (given: Given, set: SelectionSetNode): boolean =>
  fieldsOf(set).every(({ name, selectionSet }) => {
    const value = given[name.value];
    if (!selectionSet) return value !== undefined;
    return typeof value === 'object' && value !== null && isIn(value as Given, selectionSet);
  });

function identOf(given: Given, key: SelectionSetNode): string {
  const fields = fieldsOf(key);
  const field = fields.find(({ selectionSet }) => !selectionSet) ?? fields[0];
  if (!field) throw new Error('A key has fields.');
  const { name, selectionSet } = field;
  const value = given[name.value];
  const text = selectionSet ? identOf(value as Given, selectionSet) : String(value);
  return text.endsWith(`.${name.value}`) ? text.slice(0, -name.value.length - 1) : text;
}
