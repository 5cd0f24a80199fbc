import type { Subgraph } from '@apollo/federation-internals';
import {
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  type CollectedField,
  collectFields,
  type Fragments,
  type Guard,
  type GuardedSelections,
} from './collect.ts';
import { typesWithin } from './types.ts';

/** What of an operation one subgraph can answer by itself. */
export interface LocalSelections {
  /** The subgraph's own schema. */
  readonly schema: GraphQLSchema;
  /** What is asked of a type; fragments count by the types of the whole graph. */
  collect(sets: readonly GuardedSelections[], type: string): CollectedField[];
  /** The field as the subgraph may be asked for it; null where it needs others for any part of it. */
  select(type: GraphQLObjectType, field: CollectedField): SelectionNode[] | null;
}

const schemas = new WeakMap<Subgraph, GraphQLSchema>();

/** @param whole - the schema of the whole graph */
export function localSelections(
  subgraph: Subgraph,
  whole: GraphQLSchema,
  fragments: Fragments,
): LocalSelections {
  const schema = schemas.get(subgraph) ?? subgraph.schema.toGraphQLJSSchema();
  schemas.set(subgraph, schema);
  const collect = (sets: readonly GuardedSelections[], type: string): CollectedField[] =>
    collectFields(sets, fragments, (condition) => typesWithin(whole, condition).has(type));

  function select(
    type: GraphQLObjectType,
    { node, guards, selections }: CollectedField,
  ): SelectionNode[] | null {
    const plain: FieldNode = { ...node, directives: [] };
    if (node.name.value === '__typename') return guarded(plain, guards);
    const field = type.getFields()[node.name.value];
    if (!field || !isOwn(subgraph, type.name, node.name.value)) return null;
    const knows = (name: string): boolean => field.args.some((argument) => argument.name === name);
    if (!node.arguments?.every(({ name }) => knows(name.value))) return null;
    const inner = getNamedType(field.type);
    if (!isCompositeType(inner)) return guarded(plain, guards);
    const selectionSet = within(inner, selections);
    return selectionSet && guarded({ ...plain, selectionSet }, guards);
  }

  function within(type: GraphQLNamedType, sets: readonly GuardedSelections[]): SelectionSetNode | null {
    const all: SelectionNode[] = [];
    if (isObjectType(type)) {
      for (const field of collect(sets, type.name)) {
        const selected = select(type, field);
        if (!selected) return null;
        all.push(...selected);
      }
    } else if (isAbstractType(type)) {
      all.push(TYPENAME);
      for (const member of schema.getPossibleTypes(type)) {
        const selectionSet = within(member, sets);
        if (!selectionSet) return null;
        if (selectionSet.selections.length > 0) all.push(onType(member.name, selectionSet.selections));
      }
    }
    return { kind: Kind.SELECTION_SET, selections: all };
  }

  return { schema, collect, select };
}

/** Whether the subgraph resolves a field without help. */
function isOwn(subgraph: Subgraph, type: string, name: string): boolean {
  const owner = subgraph.schema.type(type);
  const field = owner?.kind === 'ObjectType' ? owner.field(name) : undefined;
  if (!field) return false;
  const metadata = subgraph.metadata();
  return !metadata.isFieldExternal(field) && !field.hasAppliedDirective(metadata.requiresDirective());
}

export const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

export const onType = (type: string, selections: readonly SelectionNode[]): SelectionNode => ({
  kind: Kind.INLINE_FRAGMENT,
  typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
  selectionSet: { kind: Kind.SELECTION_SET, selections },
});

/** The field once for every guard under which it is asked for, once only where one of them always holds. */
function guarded(field: FieldNode, guards: readonly Guard[]): SelectionNode[] {
  if (guards.some((guard) => guard.length === 0)) return [field];
  return guards.map((guard) =>
    guard.reduceRight<SelectionNode>(
      (inner, { variable, equals }) => ({
        kind: Kind.INLINE_FRAGMENT,
        directives: [
          {
            kind: Kind.DIRECTIVE,
            name: { kind: Kind.NAME, value: equals ? 'include' : 'skip' },
            arguments: [
              {
                kind: Kind.ARGUMENT,
                name: { kind: Kind.NAME, value: 'if' },
                value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
              },
            ],
          },
        ],
        selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] },
      }),
      field,
    ),
  );
}
