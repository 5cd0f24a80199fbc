import type { InterfaceType, ObjectType, Subgraph } from '@apollo/federation-internals';
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { type GraphQLSchema, Kind, parse } from 'graphql';
import { typesWithin } from '../codegen/types.ts';
import type { Data } from '../run/plan-run.ts';

/** Names of the top-level fields of one key. */
type Key = readonly string[];

/**
 * Compiles a check whether a representation contains a key by which the subgraph finds the entity. A plan for
 * some types of an interface may require fields of all of them; then some representations contain only those
 * fields. Returns null if every representation has a key.
 */
export function compileKeyCheck(
  requires: readonly QueryPlanSelectionNode[],
  subgraph: Subgraph,
  schema: GraphQLSchema,
): ((representation: Data) => boolean) | null {
  const fragments = requires.filter((selection) => selection.kind === 'InlineFragment');
  const keys = fragments.flatMap(({ typeCondition }) => keysOf(typeCondition ?? '', subgraph, schema));
  const isKeyed = ({ selections }: (typeof fragments)[number]): boolean => {
    const names = new Set(selections.map((each) => (each.kind === 'Field' ? each.name : '')));
    return keys.some((key) => key.every((name) => names.has(name)));
  };
  if (keys.length === 0 || fragments.every(isKeyed)) return null;
  return (representation) => keys.some((key) => key.every((name) => representation[name] !== undefined));
}

/** Returns the keys of a type in a subgraph, or of the interfaces that replace it there. */
function keysOf(type: string, subgraph: Subgraph, schema: GraphQLSchema): Key[] {
  const owners: (InterfaceType | ObjectType)[] = [
    ...subgraph.schema.interfaceTypes(),
    ...subgraph.schema.objectTypes(),
  ];
  const directive = subgraph.metadata().keyDirective().name;
  return owners
    .filter((owner) => typesWithin(schema, owner.name).has(type))
    .flatMap((owner) => owner.appliedDirectives.filter(({ name }) => name === directive))
    .map((key) => key.arguments() as { fields: string; resolvable?: boolean })
    .filter(({ resolvable }) => resolvable !== false)
    .map(({ fields }) => namesOf(fields));
}

function namesOf(fields: string): Key {
  const [operation] = parse(`{ ${fields} }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return [];
  return operation.selectionSet.selections.flatMap((each) =>
    each.kind === Kind.FIELD ? [each.name.value] : [],
  );
}
