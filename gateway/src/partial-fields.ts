import {
  baseType,
  isAbstractType,
  possibleRuntimeTypes,
  type Subgraph,
  type Supergraph,
} from '@apollo/federation-internals';

/**
 * Fields, as `Type.field`, of an interface or a union that several subgraphs resolve to different sets of
 * types. The planner takes a fragment on a type that one of them lacks for one that never applies.
 */
export function partialFields(federated: Supergraph): Set<string> {
  const types = new Map<string, Set<string>>();
  for (const subgraph of federated.subgraphs()) {
    for (const [field, names] of abstractFields(subgraph)) {
      types.set(field, (types.get(field) ?? new Set()).add(names));
    }
  }
  return new Set([...types].filter(([, variants]) => variants.size > 1).map(([field]) => field));
}

function* abstractFields(subgraph: Subgraph): Generator<readonly [string, string]> {
  const { schema } = subgraph;
  for (const owner of [...schema.objectTypes(), ...schema.interfaceTypes()]) {
    for (const field of owner.fields()) {
      const type = baseType(field.type!);
      const isOurs = field.name !== '_entities' && !subgraph.metadata().isFieldExternal(field);
      if (!isOurs || !isAbstractType(type)) continue;
      const names = possibleRuntimeTypes(type).map(({ name }) => name);
      yield [field.coordinate, names.sort().join()];
    }
  }
}
