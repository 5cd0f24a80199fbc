import { type Access, type AccessMap, accessOf } from '@loyalty/platform/caller/access';
import { Kind, parse } from 'graphql';

/** Reads every `@access` of a supergraph: the API schema no longer carries the directive. */
export function accessMap(supergraphSdl: string): AccessMap {
  const map = new Map<string, Access>();
  for (const type of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION && type.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const field of type.fields ?? []) {
      const access = accessOf({ astNode: field });
      if (access) map.set(`${type.name.value}.${field.name.value}`, access);
    }
  }
  return map;
}
