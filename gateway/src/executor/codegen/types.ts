import { type GraphQLSchema, isAbstractType, isInterfaceType, isObjectType } from 'graphql';

/** Returns the values of `__typename` to which a fragment on `condition` applies. */
export function typesWithin(schema: GraphQLSchema, condition: string): ReadonlySet<string> {
  const known = cached(schema);
  let names = known.get(condition);
  if (!names) {
    names = new Set([condition]);
    const type = schema.getType(condition);
    if (isAbstractType(type)) {
      for (const possible of Object.values(schema.getTypeMap())) {
        const isCandidate = isObjectType(possible) || isInterfaceType(possible);
        if (isCandidate && schema.isSubType(type, possible)) names.add(possible.name);
      }
    }
    known.set(condition, names);
  }
  return names;
}

/**
 * Returns the names of interfaces; a subgraph with an interface object may return one as the type of an
 * object.
 */
export function interfaceNames(schema: GraphQLSchema): ReadonlySet<string> {
  let names = interfacesOf.get(schema);
  if (!names) {
    const types = Object.values(schema.getTypeMap()).filter(isInterfaceType);
    names = new Set(types.map(({ name }) => name));
    interfacesOf.set(schema, names);
  }
  return names;
}

const interfacesOf = new WeakMap<GraphQLSchema, Set<string>>();
const bySchema = new WeakMap<GraphQLSchema, Map<string, Set<string>>>();

function cached(schema: GraphQLSchema): Map<string, Set<string>> {
  let known = bySchema.get(schema);
  if (!known) {
    known = new Map();
    bySchema.set(schema, known);
  }
  return known;
}
